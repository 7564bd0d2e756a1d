// Writes subtitles for many files, several at a time; a file that fails does not stop the others.
//
//     swift run -c release batch-subtitles FOLDER FILE …
import Foundation
import Steno

guard let folder = CommandLine.arguments.dropFirst().first else {
    print("usage: batch-subtitles FOLDER FILE …")
    exit(64)
}
let files = Array(CommandLine.arguments.dropFirst(2))
let output = try TranscriptDestination(
    folder: URL(fileURLWithPath: folder), formats: [.srt, .vtt], inputs: files, subtitles: .readable)

let transcriber = try await Transcriber.load(.bundled)
let options = TranscriptionOptions(wordTimestamps: true).with { $0.batchSize = 4 }
for try await done in transcriber.transcripts(files: files.map { URL(fileURLWithPath: $0) }, options: options) {
    let name = files[done.index]
    do {
        print(try output.write(done.result.get(), for: name).map(\.lastPathComponent))
    } catch {
        print("\(name): \(error.localizedDescription)")
    }
}
