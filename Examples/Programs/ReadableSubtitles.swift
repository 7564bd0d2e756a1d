// Writes WebVTT subtitles that are cut for reading: two balanced lines, limits of reading speed and duration.
import Steno
import StenoBundledModel

let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let transcriber = try await Transcriber.load(.bundled)

let subtitles = SubtitleOptions.readable

let options = TranscriptionOptions(language: "en", wordTimestamps: subtitles.needsWords)
let transcript = try await transcriber.transcribe(file: audio, options: options)
print(TranscriptFormat.vtt.text(of: transcript, subtitles: subtitles), terminator: "")
