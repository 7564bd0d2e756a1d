// Transcribes a file with the bundled model.
import Steno
import StenoBundledModel

let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let transcriber = try await Transcriber.load(.bundled)
let transcript = try await transcriber.transcribe(file: audio)
print(transcript.text)
