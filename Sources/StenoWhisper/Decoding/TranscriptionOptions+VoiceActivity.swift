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

    /// Whether the Silero network is needed.
    var usesSilero: Bool {
        [voiceActivity(windowSeconds: .infinity)?.detector, whisper.guards?.detector].contains(.silero)
    }

    /// The Silero network, if a transcription uses it; if it is not installed, only options that need it fail.
    func silero() throws -> SileroModel? {
        if usesSilero { return try BundledSilero.model() }
        return whisper.skipsSilence ? try? BundledSilero.model() : nil
    }
}
