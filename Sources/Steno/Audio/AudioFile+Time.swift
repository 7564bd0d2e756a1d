extension Double {
    /// Seconds as samples at ``AudioFile/sampleRate``, rounded to the nearest.
    package var samples: Int { Int((self * Double(AudioFile.sampleRate)).rounded()) }
}

extension Int {
    /// Samples at ``AudioFile/sampleRate`` as seconds.
    package var seconds: Double { Double(self) / Double(AudioFile.sampleRate) }
}
