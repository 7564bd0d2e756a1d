import Steno

#if canImport(AVFoundation)
    import AVFoundation
#endif

#if !canImport(AVFoundation)
    /// A number of frames.
    public typealias AVAudioFrameCount = UInt32
    /// The index of a frame in a file.
    public typealias AVAudioFramePosition = Int64
    /// A number of channels.
    public typealias AVAudioChannelCount = UInt32

    /// The type of a sample.
    public enum AVAudioCommonFormat: UInt, Sendable, Hashable, CaseIterable {
        /// Another type.
        case otherFormat = 0
        /// `Float`, from −1 to 1.
        case pcmFormatFloat32 = 1
        /// `Double`, from −1 to 1.
        case pcmFormatFloat64 = 2
        /// `Int16`, from −32,768 to 32,767.
        case pcmFormatInt16 = 3
        /// `Int32`, over its full range.
        case pcmFormatInt32 = 4
    }

    /// The format of uncompressed audio: AVFoundation's API, for platforms without AVFoundation.
    public final class AVAudioFormat: Sendable {
        /// The type of a sample.
        public let commonFormat: AVAudioCommonFormat
        /// Frames per second.
        public let sampleRate: Double
        /// Samples per frame.
        public let channelCount: AVAudioChannelCount
        /// Whether the samples of a frame are next to each other; otherwise each channel has its own array.
        public let isInterleaved: Bool

        /// Creates a format; nil if the rate is not positive or there are no channels.
        public init?(
            commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount,
            interleaved: Bool
        ) {
            guard sampleRate > 0, sampleRate.isFinite, channels > 0 else { return nil }
            commonFormat = format
            self.sampleRate = sampleRate
            channelCount = channels
            isInterleaved = interleaved
        }

        /// Creates the standard format: `Float`, with one array per channel.
        public convenience init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
            self.init(commonFormat: .pcmFormatFloat32, sampleRate: sampleRate, channels: channels, interleaved: false)
        }

        /// Whether it is the standard format: `Float`, with one array per channel.
        public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }
    }

    extension AVAudioFormat: Hashable, CustomStringConvertible {
        /// Whether rate, channels and samples are the same; with one channel there is nothing to interleave.
        public static func == (left: AVAudioFormat, right: AVAudioFormat) -> Bool {
            InputFormat(left) == InputFormat(right)
        }

        /// Hashes rate, channels and samples.
        public func hash(into hasher: inout Hasher) { hasher.combine(InputFormat(self)) }

        /// A text such as "2 ch, 44100.0 Hz, pcmFormatInt16, interleaved".
        public var description: String {
            "\(channelCount) ch, \(sampleRate) Hz, \(commonFormat)\(isInterleaved ? ", interleaved" : "")"
        }
    }
#endif

extension AVAudioFormat {
    /// The engine's format: 16 kHz, one channel of `Float`.
    static var engine: AVAudioFormat? {
        AVAudioFormat(
            commonFormat: .pcmFormatFloat32, sampleRate: Double(AudioFile.sampleRate), channels: 1, interleaved: false)
    }

    /// The format that Apple's modules ask for, and that apps convert to: 16 kHz, one channel of `Int16`.
    static var best: AVAudioFormat? {
        AVAudioFormat(
            commonFormat: .pcmFormatInt16, sampleRate: Double(AudioFile.sampleRate), channels: 1, interleaved: true)
    }

    var isReadable: Bool {
        switch commonFormat {
        case .pcmFormatFloat32, .pcmFormatInt16, .pcmFormatInt32: true
        default: false
        }
    }
}
