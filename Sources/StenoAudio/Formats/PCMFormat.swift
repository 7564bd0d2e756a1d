import StenoCore

/// The format of uncompressed audio: little-endian, channels interleaved.
package struct PCMFormat: Sendable, Hashable {
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
        try ensure(
            Self.sampleRates.contains(sampleRate), or: .invalidOption,
            "A sample rate of \(sampleRate) Hz is out of range. Use 1000 to 768000 Hz.")
        try ensure(
            Self.channelCounts.contains(channels), or: .invalidOption,
            "\(channels) channels are out of range. Use 1 to 256.")
        (self.encoding, self.sampleRate, self.channels) = (encoding, sampleRate, channels)
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

extension PCMFormat {
    /// Decodes whole frames to mono samples: the mean of the channels, or one of them, from −1 to 1.
    ///
    /// Integers are divided by the power of two of their width (16 bits by 32,768, exactly, as faster-whisper does).
    /// A floating-point sample that is not a finite number becomes 0, and a mean beyond ±1 is clipped.
    ///
    /// - Parameter channel: The only channel to read, counted from 0; nil averages all.
    /// - Returns: The number of samples that are not finite.
    func decode(
        _ bytes: UnsafeRawBufferPointer, into samples: UnsafeMutableBufferPointer<Float>, channel: Int? = nil
    ) -> Int {
        let frames = min(bytes.count / bytesPerFrame, samples.count)
        let skipped = (channel ?? 0) * encoding.bytesPerSample
        let mixer = Mixer(
            bytes: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(skipped)), samples: samples, frames: frames,
            channels: channel == nil ? channels : 1, frameStride: bytesPerFrame)
        switch encoding {
        case .uint8: mixer.mixIntegers(scale: 128, stride: 1) { Int32($0.load(as: UInt8.self)) - 128 }
        case .int16:
            mixer.mixIntegers(scale: 32_768, stride: 2) { Int32(Int16(littleEndian: $0.loadUnaligned(as: Int16.self))) }
        case .int24: mixer.mixIntegers(scale: 8_388_608, stride: 3, signed24)
        case .int32:
            mixer.mixIntegers(scale: 2_147_483_648, stride: 4) { Int32(littleEndian: $0.loadUnaligned(as: Int32.self)) }
        case .float32:
            return mixer.mixFloats(stride: 4) {
                Float(bitPattern: UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)))
            }
        case .float64:
            return mixer.mixFloats(stride: 8) {
                Float(Double(bitPattern: UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self))))
            }
        }
        return 0
    }

    /// The mean of some channels of a frame, from −1 to 1, by the same rules.
    @inline(__always)
    static func mean(of channels: Range<Int>, _ sample: (Int) -> Float) -> Float {
        var sum: Float = 0
        for channel in channels {
            let value = sample(channel)
            sum += value.isFinite ? value : 0
        }
        return min(1, max(-1, sum / Float(channels.count)))
    }
}

/// Reads the three bytes of a 24-bit sample; the shift extends the sign.
private func signed24(_ bytes: UnsafeRawPointer) -> Int32 {
    let low = UInt32(bytes.load(as: UInt8.self))
    let middle = UInt32(bytes.load(fromByteOffset: 1, as: UInt8.self))
    let high = UInt32(bytes.load(fromByteOffset: 2, as: UInt8.self))
    return Int32(bitPattern: high << 24 | middle << 16 | low << 8) >> 8
}

/// The loops over frames and channels, written once and specialised for each encoding.
private struct Mixer {
    let bytes: UnsafeRawBufferPointer
    let samples: UnsafeMutableBufferPointer<Float>
    let frames: Int
    let channels: Int
    /// The bytes from one frame to the next.
    let frameStride: Int

    @inline(__always)
    func mixIntegers(scale: Float, stride: Int, _ sample: (UnsafeRawPointer) -> Int32) {
        guard var next = bytes.baseAddress else { return }
        let factor = 1 / (scale * Float(channels))
        for frame in 0..<frames {
            if channels == 1 {
                samples[frame] = Float(sample(next)) / scale
                next += frameStride
                continue
            }
            // 64 bits, because the sum of 256 channels of 32 bits would overflow fewer.
            var sum: Int64 = 0
            for _ in 0..<channels {
                sum += Int64(sample(next))
                next += stride
            }
            samples[frame] = Float(sum) * factor
        }
    }

    @inline(__always)
    func mixFloats(stride: Int, _ sample: (UnsafeRawPointer) -> Float) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        var damaged = 0
        for frame in 0..<frames {
            var next = start + frame * frameStride
            var sum: Float = 0
            for _ in 0..<channels {
                let value = sample(next)
                sum += value.isFinite ? value : 0
                damaged += value.isFinite ? 0 : 1
                next += stride
            }
            samples[frame] = min(1, max(-1, sum / Float(channels)))
        }
        return damaged
    }
}
