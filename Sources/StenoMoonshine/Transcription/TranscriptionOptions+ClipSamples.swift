import StenoCore
import StenoVoiceActivity

extension TranscriptionOptions {
    /// The clips in samples; the whole recording when there are none.
    var clipSamples: [Range<Int>] {
        clips.isEmpty ? [0..<Self.beyond] : clips.map { Self.sample($0.lowerBound)..<Self.sample($0.upperBound) }
    }

    /// A sample beyond the end of any audio that still leaves room for arithmetic.
    private static let beyond = Int.max / 4

    private static func sample(_ seconds: Double) -> Int {
        min(Int(exactly: (seconds * Double(VoiceActivity.sampleRate)).rounded()) ?? beyond, beyond)
    }
}
