/// The level of a stretch of audio in dBFS: 0 is full scale, −120 is silence.
public struct AudioLevel: Sendable, Hashable, Codable {
    /// The level of the root mean square (RMS).
    public var rms: Double
    /// The level of the largest sample.
    public var peak: Double

    package init(rms: Double, peak: Double) {
        self.rms = rms
        self.peak = peak
    }
}
