// Translates a French recording into English text.
import Steno
import StenoBundledModel

let file = BundledModel.samples.appendingPathComponent("fr-pangrama.wav")
let transcriber = try await Transcriber.load(BundledModel.folder)
let transcript = try await transcriber.translate(file: file, options: TranscriptionRequest(language: "fr"))
print(transcript.text)
