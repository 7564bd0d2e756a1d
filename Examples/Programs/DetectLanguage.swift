// Detects the language of three recordings.
import Steno
import StenoBundledModel

let transcriber = try await Transcriber.load(.bundled)
for name in ["es-pangrama.wav", "fr-pangrama.wav", "ja-kazoeru.wav"] {
    let audio = try BundledModel.samples.appendingPathComponent(name)
    let detected = try await transcriber.detectLanguage(file: audio)
    print("\(name): \(detected.language), probability \(Int(detected.probability * 100)) %")
}
