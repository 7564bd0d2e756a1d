/// Statistics of a live engine.
public struct LiveStatistics: Sendable, Hashable, Codable {
    /// The number of decodings.
    public var decodings = 0
    /// The total duration of the decodings, in seconds.
    public var decodingSeconds = 0.0
    /// The seconds of audio received.
    public var audioSeconds = 0.0
    /// The seconds of audio that were skipped.
    public var shedSeconds = 0.0

    /// Seconds of decoding per second of audio (the real-time factor): the engine keeps up while this is below 1.
    public var computePerSecond: Double { audioSeconds > 0 ? decodingSeconds / audioSeconds : 0 }

    /// Creates empty statistics.
    public init() {}
}
