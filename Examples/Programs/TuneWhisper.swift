// Sets options that only Whisper models have, and reads what only they report of a segment.
import Steno
import StenoBundledModel
import StenoWhisper

let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let transcriber = try await Transcriber.load(.bundled)

var options = TranscriptionOptions(language: "en")
options.vocabulary = ["Americans"]
options.whisper.beamSize = 1
options.whisper.temperatures = [0]
options.whisper.guards = GuardOptions()

let transcript = try await transcriber.transcribe(file: audio, options: options)
for segment in transcript.segments {
    print(segment.text)
    if let whisper = segment.whisper {
        print("  \(whisper.tokens.count) tokens, mean log probability \(whisper.averageLogProbability)")
    }
}
for action in transcript.guards ?? [] { print("removed:", action.text, "because:", action.reason) }
