import Steno

#if canImport(AVFoundation)
    public import AVFoundation
    public import CoreMedia
#endif

/// A piece of audio to analyse, and its place on the timeline.
///
///     inputBuilder.yield(AnalyzerInput(buffer: buffer))
///
/// It accepts any sample rate and number of channels, with `Float`, `Int16` or `Int32` samples, without conversion. The
/// samples are copied, so the buffer can be reused immediately, as microphones do.
public struct AnalyzerInput: Sendable {
    // Unsafe only for callers that read it here and write to it elsewhere: the analysis uses the copy.
    /// The given buffer.
    public nonisolated(unsafe) let buffer: AVAudioPCMBuffer
    /// The time of the first frame; nil for right after the previous input.
    public let bufferStartTime: CMTime?

    /// The copied samples, or why they cannot be read.
    let audio: Result<PCMBuffer, SFSpeechError>
    /// The format of the buffer, which must not change mid-stream.
    let format: InputFormat

    /// Creates an input that follows the previous one.
    public init(buffer: AVAudioPCMBuffer) { self.init(buffer: buffer, bufferStartTime: nil) }

    /// Creates an input at a time; a gap before it counts as silence.
    public init(buffer: AVAudioPCMBuffer, bufferStartTime: CMTime?) {
        self.buffer = buffer
        self.bufferStartTime = bufferStartTime
        format = InputFormat(buffer.format)
        audio = Result { try PCMBuffer(buffer, startTime: bufferStartTime) }.mapError { SFSpeechError($0) }
    }
}

/// The properties of inputs that must not change mid-stream.
struct InputFormat: Sendable, Hashable, CustomStringConvertible {
    let sampleRate: Double
    let channels: Int
    /// The type of a sample, as AVFoundation numbers them.
    let samples: AVAudioCommonFormat
    let isInterleaved: Bool

    init(_ format: AVAudioFormat) {
        sampleRate = format.sampleRate
        channels = Int(format.channelCount)
        samples = format.commonFormat
        isInterleaved = channels > 1 && format.isInterleaved
    }

    var description: String {
        let type =
            switch samples {
            case .pcmFormatFloat32: "Float"
            case .pcmFormatInt16: "Int16"
            case .pcmFormatInt32: "Int32"
            default: "other samples"
            }
        return "\(Int(sampleRate)) Hz, \(channels) ch, \(type)\(isInterleaved ? ", interleaved" : "")"
    }
}
