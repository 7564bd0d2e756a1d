import StenoCore
import StenoVoiceActivity

extension TranscriptionOptions {
    /// The voice activity options in effect for windows of this many seconds.
    func voiceActivity(windowSeconds: Double) -> VoiceActivityOptions? {
        guard batchSize > 1, clips.isEmpty else { return whisper.voiceActivity }
        var options = whisper.voiceActivity ?? .batched
        options.maxSpeechSeconds = min(options.maxSpeechSeconds, windowSeconds)
        return options
    }

    /// Throws if a Silero network that the options need is not installed, or is damaged.
    func checkNetworks() throws {
        if voiceActivity(windowSeconds: .infinity)?.detector == .silero { _ = try BundledSilero.fasterWhisper() }
        if whisper.guards?.detector == .silero { _ = try BundledSilero.model() }
    }

    /// The Silero network for guards and for recordings without speech; if it is not installed, only guards fail.
    func silero() throws -> SileroModel? {
        if whisper.guards?.detector == .silero { return try BundledSilero.model() }
        guard whisper.skipsSilence, voiceActivity(windowSeconds: .infinity) == nil else { return nil }
        return try? BundledSilero.model()
    }
}
