// Finds where people speak, without transcribing anything.
import Steno
import StenoBundledModel
import StenoVoiceActivity

let audio = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
let options = VoiceActivityOptions().with { $0.minSilenceSeconds = 0.3 }
for span in try await AudioFile.speech(in: audio, options: options) {
    print("speech from \(span.lowerBound) to \(span.upperBound) s")
}
