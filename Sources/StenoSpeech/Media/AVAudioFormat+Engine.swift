import Steno

#if canImport(AVFoundation)
    import AVFoundation
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
