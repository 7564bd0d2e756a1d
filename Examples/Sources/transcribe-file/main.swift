// Transcribes a file, and shows each segment and the remaining time.
//
//     swift run -c release transcribe-file talk.mp3
import Foundation
import Steno

guard let path = CommandLine.arguments.dropFirst().first else {
    print("usage: transcribe-file FILE")
    exit(64)
}
let transcriber = try await Transcriber.load(.bundled)
for try await event in transcriber.events(file: URL(fileURLWithPath: path)) {
    if let language = event.language { print("language: \(language.language)") }
    if let segment = event.segment { print(segment.start, segment.text) }
    if let progress = event.progress, let fraction = progress.fraction, let left = progress.timeLeft {
        FileHandle.standardError.write(Data("\(Int(fraction * 100)) %, \(Int(left)) s left\n".utf8))
    }
}
