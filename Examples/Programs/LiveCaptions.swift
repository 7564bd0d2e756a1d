// Captions audio live: final text stays, and partial text is shown after it.
import Steno
import StenoBundledModel

let transcriber = try await Transcriber.load(.bundled)
// A microphone is `.microphone()`; the session ends with `try await session.stop()`.
let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let session = try await transcriber.live(.file(audio), options: LiveOptions(language: "en"))
var transcript = LiveTranscript()
for await event in session.events where transcript.apply(event) {
    print("\(transcript.finalText) [\(transcript.partialText)]")
}
