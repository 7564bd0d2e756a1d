// Captions the microphone, or a file as if it were being spoken; Return ends it, and the last words still appear.
//
//     swift run -c release live-captions [FILE]
import Foundation
import Steno

let file = CommandLine.arguments.dropFirst().first.map { URL(fileURLWithPath: $0) }
let transcriber = try await Transcriber.load(.bundled)
let session = try await transcriber.live(file.map { .file($0) } ?? .microphone())

let captions = Task {
    var transcript = LiveTranscript()
    for await event in session.events {
        if transcript.apply(event) { print("\(transcript.finalText) [\(transcript.partialText)]") }
        if let failure = event.failure { print(failure.message) }
    }
}
if file == nil {
    _ = readLine()
    try await session.stop()
} else {
    try await session.wait()
}
await captions.value
