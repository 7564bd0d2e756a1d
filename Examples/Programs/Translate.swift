// Translates a French recording into English text.
import Steno
import StenoBundledModel

let audio = try BundledModel.samples.appendingPathComponent("fr-pangrama.wav")
let transcriber = try await Transcriber.load(.bundled)
let transcript = try await transcriber.translate(file: audio, options: TranscriptionOptions(language: "fr"))
print(transcript.text)
