import StenoCore
import StenoVoice

extension WhisperOptions {
    /// The voice activity options in effect for windows of this many seconds.
    func voiceActivity(windowSeconds: Double) -> VoiceActivityOptions? {
        guard batchSize > 1, clips.isEmpty else { return voiceActivity }
        var options = voiceActivity ?? .batched
        options.maxSpeechSeconds = min(options.maxSpeechSeconds, windowSeconds)
        return options
    }

    /// Whether the Silero network is needed.
    package var usesSilero: Bool {
        [voiceActivity(windowSeconds: .infinity)?.detector, guards?.detector].contains(.silero)
    }
}
