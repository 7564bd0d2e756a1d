import StenoVoiceActivity

/// Returns scripted probabilities, whatever the audio.
package final class ScriptedDetector: VoiceActivityDetector {
    private let probabilities: [Float]
    private var next = 0
    package private(set) var resets = 0

    package init(_ probabilities: [Float]) { self.probabilities = probabilities }

    package func append(probabilitiesOf windows: UnsafeBufferPointer<Float>, to found: inout [Float]) {
        for _ in 0..<windows.count / VoiceActivity.windowLength {
            found.append(next < probabilities.count ? probabilities[next] : 0)
            next += 1
        }
    }

    package func reset() {
        next = 0
        resets += 1
    }
}
