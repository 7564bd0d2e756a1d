/// What a live engine has done so far.
public struct LiveStatistics: Sendable, Hashable, Codable {
    /// How many decodings were made.
    public var decodings = 0
    /// The seconds they took.
    public var decodingSeconds = 0.0
    /// The seconds of audio taken in.
    public var audioSeconds = 0.0
    /// The seconds of audio that were left out.
    public var shedSeconds = 0.0

    /// Seconds of decoding for a second of audio: the engine keeps up while this is less than 1.
    public var computePerSecond: Double { audioSeconds > 0 ? decodingSeconds / audioSeconds : 0 }

    /// Creates statistics of nothing.
    public init() {}
}
