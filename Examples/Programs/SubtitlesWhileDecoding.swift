// Prints each segment as soon as it is decoded, and the subtitles at the end.
import Steno
import StenoBundledModel

let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let transcriber = try await Transcriber.load(.bundled)
for try await event in transcriber.events(file: audio) {
    if let segment = event.segment { print(Timestamp.format(segment.start), segment.text) }
    if let transcript = event.transcript { print(TranscriptFormat.srt.text(of: transcript)) }
}
