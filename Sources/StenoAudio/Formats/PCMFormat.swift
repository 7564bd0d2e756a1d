import StenoCore

/// The format of uncompressed audio: little-endian, channels interleaved.
package struct PCMFormat: Sendable, Hashable {
    /// The encoding of a sample.
    package enum Encoding: Sendable, Hashable, CaseIterable {
        /// 8 bits, unsigned; 128 is silence.
        case uint8
        /// 16 bits, signed.
        case int16
        /// 24 bits in three bytes, signed.
        case int24
        /// 32 bits, signed.
        case int32
        /// 32-bit IEEE floating point, −1 to 1.
        case float32
        /// 64-bit IEEE floating point, −1 to 1.
        case float64
    }

    package let encoding: Encoding
    /// Frames per second, 1,000 to 768,000.
    package let sampleRate: Int
    /// Samples per frame, 1 to 256; they are averaged into one.
    package let channels: Int

    /// Creates a format; throws `StenoError.invalidOption` when the rate or the channel count is out of range.
    package init(_ encoding: Encoding, sampleRate: Int, channels: Int = 1) throws {
        guard Self.sampleRates.contains(sampleRate) else {
            throw StenoError(
                .invalidOption,
                "A sample rate of \(sampleRate) Hz is out of range. Use 1000 to 768000 Hz.")
        }
        guard Self.channelCounts.contains(channels) else {
            throw StenoError(
                .invalidOption, "\(channels) channels are out of range. Use 1 to 256.")
        }
        self.encoding = encoding
        self.sampleRate = sampleRate
        self.channels = channels
    }

    /// Throws `StenoError.invalidOption` when interleaved samples are not a whole number of frames.
    func checkWholeFrames(_ samples: Int) throws {
        guard !samples.isMultiple(of: channels) else { return }
        throw StenoError(
            .invalidOption,
            "\(samples) samples are not a whole number of frames of \(channels) channels. Pass whole frames.")
    }

    /// Throws `StenoError.invalidOption` when a recording has no such channel, counted from 0.
    func checkChannel(_ channel: Int, of name: String) throws {
        try Self.checkChannel(channel, of: name, count: channels)
    }

    static func checkChannel(_ channel: Int, of name: String, count: Int) throws {
        guard !(0..<count).contains(channel) else { return }
        throw StenoError(
            .invalidOption, "\(name) has no channel \(channel + 1): it has \(count == 1 ? "one" : "\(count)").")
    }

    static let sampleRates = 1_000...768_000
    static let channelCounts = 1...256

    /// The size of one sample of every channel, in bytes.
    package var bytesPerFrame: Int { encoding.bytesPerSample * channels }
}

extension PCMFormat.Encoding {
    var bytesPerSample: Int {
        switch self {
        case .uint8: 1
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        case .float64: 8
        }
    }
}
