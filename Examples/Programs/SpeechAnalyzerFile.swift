// Transcribes a file with Apple's SpeechAnalyzer API.
import Foundation
import StenoBundledModel
import StenoSpeech

let file = try AVAudioFile(forReading: BundledModel.samples.appendingPathComponent("inaugural-1961.wav"))
let transcriber = SpeechTranscriber(locale: Locale(identifier: "en_US"), preset: .transcription)
async let text = try transcriber.results.reduce("") { text, result in text + result.text }
let analyzer = SpeechAnalyzer(modules: [transcriber])
if let end = try await analyzer.analyzeSequence(from: file) {
    try await analyzer.finalizeAndFinish(through: end)
}
print(String(try await text.characters))
