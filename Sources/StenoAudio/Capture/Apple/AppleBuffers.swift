#if canImport(AVFoundation)
    package import AVFoundation
    import StenoCore
#endif

#if canImport(CoreMedia)
    package import CoreMedia
#endif

#if canImport(AVFoundation)
    extension PCMBuffer {
        /// Copies the samples of a buffer of `Float`, `Int16` or `Int32`, interleaved or not.
        ///
        /// - Parameters:
        ///   - buffer: Its frames up to `frameLength`.
        ///   - startTime: The time of its first frame; nil (or an invalid time) means right after the previous buffer.
        /// - Throws: `StenoError.invalidOption` when the samples are of another type, or the rate or the channel
        ///   count is out of range.
        package init(_ buffer: AVAudioPCMBuffer, startTime: CMTime? = nil) throws {
            let time = startTime.flatMap { AudioTime($0) }
            let rate = buffer.format.sampleRate
            let sampleRate = try unwrap(
                Int(exactly: rate.rounded()), or: .invalidOption,
                "\(rate) is not a sample rate. Check the format of the audio.")
            if let channels = buffer.floatChannelData {
                try self.init(buffer, channels, sampleRate, time)
            } else if let channels = buffer.int16ChannelData {
                try self.init(buffer, channels, sampleRate, time)
            } else if let channels = buffer.int32ChannelData {
                try self.init(buffer, channels, sampleRate, time)
            } else {
                throw StenoError(
                    .invalidOption,
                    "Samples of the format \(buffer.format) cannot be read; convert them with AVAudioConverter to "
                        + "Float."
                )
            }
        }

        private init<Sample: AudioSample>(
            _ buffer: AVAudioPCMBuffer, _ channels: UnsafePointer<UnsafeMutablePointer<Sample>>, _ sampleRate: Int,
            _ startTime: AudioTime?
        ) throws {
            let (frames, stride) = (Int(buffer.frameLength), buffer.stride)
            let channelCount = Int(buffer.format.channelCount)
            var interleaved: [Sample] = []
            interleaved.reserveCapacity(frames * channelCount)
            for frame in 0..<frames {
                for channel in 0..<channelCount { interleaved.append(channels[channel][frame * stride]) }
            }
            try self.init(interleaved, sampleRate: sampleRate, channels: channelCount, startTime: startTime)
        }
    }

    extension AudioChunk {
        /// A copy for Apple's APIs: 16 kHz, one channel of `Float`; nil when there are no samples.
        package func pcmBuffer() -> AVAudioPCMBuffer? {
            guard !samples.isEmpty,
                let format = AVAudioFormat(
                    commonFormat: .pcmFormatFloat32, sampleRate: Double(AudioFile.sampleRate), channels: 1,
                    interleaved: false),
                let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)),
                let channel = buffer.floatChannelData?[0]
            else { return nil }
            buffer.frameLength = buffer.frameCapacity
            samples.withUnsafeBufferPointer { samples in
                if let base = samples.baseAddress { channel.update(from: base, count: samples.count) }
            }
            return buffer
        }
    }
#endif

#if canImport(CoreMedia)
    extension AudioTime {
        /// The same time; nil when Core Media's is invalid, indefinite or infinite.
        package init?(_ time: CMTime) {
            guard time.isNumeric, time.timescale > 0 else { return nil }
            self.init(value: time.value, timescale: time.timescale)
        }
    }

    extension CMTime {
        package init(_ time: AudioTime) { self.init(value: time.value, timescale: time.timescale) }
    }
#endif
