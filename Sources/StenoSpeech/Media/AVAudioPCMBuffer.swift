#if !canImport(AVFoundation)
    package import Steno

    /// A piece of uncompressed audio: AVFoundation's API, for platforms without AVFoundation.
    ///
    ///     buffer.frameLength = 1_600
    ///     buffer.floatChannelData?[0].update(from: samples, count: 1_600)
    ///
    /// The samples are `Float`, `Int16` or `Int32`. A buffer is not `Sendable`, but ``AnalyzerInput``, which copies it,
    /// is.
    public final class AVAudioPCMBuffer {
        /// The format of the samples.
        public let format: AVAudioFormat
        /// The capacity in frames.
        public let frameCapacity: AVAudioFrameCount
        /// The number of valid frames; values above ``frameCapacity`` are clamped.
        public var frameLength: AVAudioFrameCount {
            get { length }
            set { length = min(newValue, frameCapacity) }
        }
        /// The distance between consecutive samples of a channel.
        public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

        private var length: AVAudioFrameCount = 0
        private let memory: Memory

        private enum Memory {
            case float32(ChannelMemory<Float>)
            case int16(ChannelMemory<Int16>)
            case int32(ChannelMemory<Int32>)
        }

        /// Creates a buffer of silence; nil if its samples are not `Float`, `Int16` or `Int32`.
        public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
            switch format.commonFormat {
            case .pcmFormatFloat32: memory = .float32(ChannelMemory(format, frameCapacity))
            case .pcmFormatInt16: memory = .int16(ChannelMemory(format, frameCapacity))
            case .pcmFormatInt32: memory = .int32(ChannelMemory(format, frameCapacity))
            case .pcmFormatFloat64, .otherFormat: return nil
            }
            (self.format, self.frameCapacity) = (format, frameCapacity)
        }

        /// Pointers to the first sample of each channel, with samples ``stride`` apart; nil if the samples are not
        /// `Float`.
        public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
            if case .float32(let memory) = memory { UnsafePointer(memory.channels) } else { nil }
        }

        /// Pointers to the first sample of each channel, with samples ``stride`` apart; nil if the samples are not
        /// `Int16`.
        public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
            if case .int16(let memory) = memory { UnsafePointer(memory.channels) } else { nil }
        }

        /// Pointers to the first sample of each channel, with samples ``stride`` apart; nil if the samples are not
        /// `Int32`.
        public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
            if case .int32(let memory) = memory { UnsafePointer(memory.channels) } else { nil }
        }
    }

    /// The samples of a buffer, and a pointer to the first of each channel.
    private final class ChannelMemory<Sample: Numeric> {
        let channels: UnsafeMutablePointer<UnsafeMutablePointer<Sample>>
        private let samples: UnsafeMutablePointer<Sample>

        init(_ format: AVAudioFormat, _ capacity: AVAudioFrameCount) {
            let (channelCount, frames) = (Int(format.channelCount), Int(capacity))
            samples = .allocate(capacity: max(1, channelCount * frames))
            samples.initialize(repeating: 0, count: max(1, channelCount * frames))
            channels = .allocate(capacity: channelCount)
            for channel in 0..<channelCount {
                (channels + channel).initialize(to: samples + channel * (format.isInterleaved ? 1 : frames))
            }
        }

        deinit {
            channels.deallocate()
            samples.deallocate()
        }
    }

    // On Apple platforms Steno itself has this initialiser.
    extension PCMBuffer {
        /// Copies the frames of a buffer up to its `frameLength`.
        package init(_ buffer: AVAudioPCMBuffer, startTime: CMTime? = nil) throws {
            let time = startTime.flatMap { AudioTime($0) }
            if let channels = buffer.floatChannelData {
                try self.init(buffer, channels, time)
            } else if let channels = buffer.int16ChannelData {
                try self.init(buffer, channels, time)
            } else if let channels = buffer.int32ChannelData {
                try self.init(buffer, channels, time)
            } else {
                throw SFSpeechError(
                    .unexpectedAudioFormat,
                    "Samples in the format \(buffer.format) cannot be read. Use Float32 or Int16.")
            }
        }

        private init<Sample: AudioSample>(
            _ buffer: AVAudioPCMBuffer, _ channels: UnsafePointer<UnsafeMutablePointer<Sample>>, _ startTime: AudioTime?
        ) throws {
            guard let sampleRate = Int(exactly: buffer.format.sampleRate.rounded()) else {
                throw SFSpeechError(
                    .unexpectedAudioFormat,
                    "\(buffer.format.sampleRate) is not a sample rate. Check the format of the audio.")
            }
            let channelCount = Int(buffer.format.channelCount)
            var interleaved: [Sample] = []
            interleaved.reserveCapacity(Int(buffer.frameLength) * channelCount)
            for frame in 0..<Int(buffer.frameLength) {
                for channel in 0..<channelCount { interleaved.append(channels[channel][frame * buffer.stride]) }
            }
            try self.init(interleaved, sampleRate: sampleRate, channels: channelCount, startTime: startTime)
        }
    }
#endif
