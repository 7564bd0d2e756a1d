extension Double {
    /// Thirty years in seconds, which no audio is as long as; up to there nothing overflows.
    package static let longestAudio = 1e9

    /// Seconds as samples at ``AudioFile/sampleRate``, rounded to the nearest; beyond ``longestAudio`` as many as it has,
    /// and 0 for NaN.
    package var samples: Int {
        guard !isNaN else { return 0 }
        let seconds = Swift.max(-Self.longestAudio, Swift.min(Self.longestAudio, self))
        return Int((seconds * Double(AudioFile.sampleRate)).rounded())
    }
}

extension Int {
    package var seconds: Double { Double(self) / Double(AudioFile.sampleRate) }
}
