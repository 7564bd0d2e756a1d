extension Double {
    /// The longest audio, in seconds: about thirty years, short enough that nothing overflows.
    package static let longestAudio = 1e9

    /// These seconds in samples at ``AudioFile/sampleRate``, rounded; clamped to ±``longestAudio``, and 0 for NaN.
    package var samples: Int {
        guard !isNaN else { return 0 }
        let seconds = Swift.max(-Self.longestAudio, Swift.min(Self.longestAudio, self))
        return Int((seconds * Double(AudioFile.sampleRate)).rounded())
    }
}

extension Int {
    package var seconds: Double { Double(self) / Double(AudioFile.sampleRate) }
}
