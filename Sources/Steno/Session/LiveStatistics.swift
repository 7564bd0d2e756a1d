/// Statistics of a live engine.
package struct LiveStatistics: Sendable, Hashable, Codable {
    package var decodings = 0
    /// The total duration of the decodings, in seconds.
    package var decodingSeconds = 0.0
    /// The seconds of audio received.
    package var audioSeconds = 0.0
    /// The seconds of audio that were skipped.
    package var shedSeconds = 0.0

    /// Seconds of decoding per second of audio (the real-time factor): the engine keeps up while this is below 1.
    package var computePerSecond: Double { audioSeconds > 0 ? decodingSeconds / audioSeconds : 0 }

    package init() {}
}
