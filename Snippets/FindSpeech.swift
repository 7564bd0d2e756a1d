// Finds where somebody speaks, without transcribing anything.
import Steno
import StenoBundledModel

// Opening and reading block the thread: in an app, call them outside of Swift's cooperative pool.
let recording = try AudioFile.open(BundledModel.samples.appendingPathComponent("inaugural-1961.wav"))
var stream = VoiceActivityStream(try SileroDetector(try BundledSilero.model()))
var probabilities: [Float] = []
var buffer = [Float](repeating: 0, count: VoiceActivity.sampleRate)
while case let count = try buffer.withUnsafeMutableBufferPointer({ try recording.read(into: $0) }), count > 0 {
    probabilities += stream.push(Array(buffer.prefix(count)))
}
probabilities += stream.finish()

var options = VoiceActivityOptions()
options.minSilenceMilliseconds = 300
for chunk in SpeechTimestamps.chunks(of: probabilities, sampleCount: stream.sampleCount, options: options) {
    let rate = Double(VoiceActivity.sampleRate)
    print("speech from \(Double(chunk.lowerBound) / rate) to \(Double(chunk.upperBound) / rate) s")
}
