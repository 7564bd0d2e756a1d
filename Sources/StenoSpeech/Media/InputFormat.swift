#if canImport(AVFoundation)
    import AVFoundation
#endif

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
