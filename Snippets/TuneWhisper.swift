// Sets options that only Whisper models have, and reads what only they report of a segment.
import Steno
import StenoBundledModel

let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let transcriber = try await Transcriber.load(.bundled)

var options = WhisperOptions(language: "en")
options.beamSize = 1
options.temperatures = [0]
options.hotwords = "Americans"
options.guards = GuardOptions()

let transcript = try await transcriber.transcribe(file: audio, options: options)
for segment in transcript.segments {
    print(segment.text)
    if let whisper = segment.whisper {
        print("  \(whisper.tokens.count) tokens, mean log probability \(whisper.averageLogProbability)")
    }
}
for action in transcript.guards ?? [] { print("removed:", action.text, "because:", action.reason) }
