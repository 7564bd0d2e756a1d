// Captions audio live: final text stays, and partial text is shown after it.
import Steno
import StenoBundledModel

let transcriber = try await Transcriber.load(BundledModel.folder)
let engine = try ModelEngine(model: transcriber.model, options: LiveOptions(language: "en"), pace: .fast)
let events = engine.events
let captions = Task {
    var text = TranscriptAccumulator()
    for await event in events where text.apply(event) {
        print("\(text.finalText) [\(text.partialText)]")
    }
}
// A microphone is `MicrophoneSource()`, and its pace is `.realTime`.
let audio = FileSource(BundledModel.samples.appendingPathComponent("inaugural-1961.wav"), pace: .unlimited)
try await engine.start()
try await engine.append(contentsOf: audio.start())
try await engine.finish()
await captions.value
