// Pushes audio from a device's callback, which may neither wait nor allocate. Here the device is a thread that plays a
// file.
//
//     swift run -c release push-audio FILE
import Foundation
import Steno

guard let path = CommandLine.arguments.dropFirst().first else {
    print("usage: push-audio FILE")
    exit(64)
}
let transcriber = try await Transcriber.load(.bundled)
let sampleRate = 16_000
let input = try AudioInput(sampleRate: sampleRate)
let session = try await transcriber.live(.input(input), options: LiveOptions(language: "en"))

/// The device: it calls back with blocks of samples on its own thread, in real time.
let device = Thread {
    guard let file = try? AudioFile.open(URL(fileURLWithPath: path)) else { return input.finish() }
    let block = UnsafeMutableBufferPointer<Float>.allocate(capacity: 512)
    defer { block.deallocate() }
    let start = Date()
    var frames = 0, lost = 0
    while let count = try? file.read(into: block), count > 0, let samples = block.baseAddress {
        frames += count
        Thread.sleep(until: start + Double(frames) / Double(sampleRate))
        // A block that does not fit counts as silence in the text's times; a real device already has the next block.
        if !input.push(samples, frames: count) { lost += count }
    }
    input.finish()
    if lost > 0 { print("\(lost) samples were lost") }
}
device.start()

var transcript = LiveTranscript()
for await event in session.events { transcript.apply(event) }
print(transcript.finalText)
