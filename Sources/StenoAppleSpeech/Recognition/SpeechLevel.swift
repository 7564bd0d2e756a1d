import StenoVoiceActivity

/// Detects speech by its level only: for the state of a view, and so that a recogniser starts with speech.
///
/// Not `Sendable`: it belongs to one actor.
package struct SpeechLevel {
    private let detector = EnergyDetector()
    private var rest: [Float] = []
    private var quietWindows = 0

    /// Whether speech was heard within the last second.
    package private(set) var isSpeaking = false

    /// The number of 32 ms windows without speech after which speech has ended: one second.
    private static let patience = 31

    package init() {}

    /// Skips a gap in the audio, which counts as silence; returns whether ``isSpeaking`` has changed.
    package mutating func skip(_ count: Int) -> Bool {
        guard count > 0 else { return false }
        rest = []
        quietWindows += count / VoiceActivity.windowLength
        guard isSpeaking, quietWindows >= Self.patience else { return false }
        isSpeaking = false
        return true
    }

    /// Adds samples; returns whether ``isSpeaking`` has changed.
    package mutating func append(_ samples: [Float]) -> Bool {
        rest += samples
        let whole = rest.count / VoiceActivity.windowLength * VoiceActivity.windowLength
        var probabilities: [Float] = []
        rest.withUnsafeBufferPointer {
            detector.append(probabilitiesOf: UnsafeBufferPointer(rebasing: $0[..<whole]), to: &probabilities)
        }
        rest.removeFirst(whole)
        let before = isSpeaking
        for probability in probabilities {
            quietWindows = probability >= 0.5 ? 0 : quietWindows + 1
            isSpeaking = quietWindows == 0 || isSpeaking && quietWindows < Self.patience
        }
        return isSpeaking != before
    }
}
