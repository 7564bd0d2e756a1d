// Prints when each word was said.
import Steno
import StenoBundledModel

let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let transcriber = try await Transcriber.load(.bundled)
let options = TranscriptionOptions(language: "en", wordTimestamps: true)
let transcript = try await transcriber.transcribe(file: audio, options: options)
for word in transcript.words {
    print(Timestamp.format(word.start), Timestamp.format(word.end), word.text)
}
