import Steno

#if canImport(AVFoundation)
    import AVFoundation
#endif

extension AVAudioFormat {
    /// What the engine computes with: 16 kHz, one channel of `Float`.
    static var engine: AVAudioFormat? {
        AVAudioFormat(
            commonFormat: .pcmFormatFloat32, sampleRate: Double(AudioFile.sampleRate), channels: 1, interleaved: false)
    }

    /// What Apple's modules ask for, and apps convert to: 16 kHz, one channel of `Int16`.
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
