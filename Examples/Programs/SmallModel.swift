// Transcribes an English file with the small bundled model.
import Steno
import StenoBundledModel
import StenoBundledMoonshine

let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let transcriber = try await Transcriber.load(.folder(BundledMoonshine.folder))
let transcript = try await transcriber.transcribe(file: audio)
print(transcript.text)
