import Steno
import StenoCore
import StenoFastConformer
import StenoWhisper

extension TranscriptionOptions {
    /// The options for a model: one that always finds the speech itself does not have the option, and a beam size is an
    /// option of its family.
    func fitting(_ model: SpeechModelInformation) -> TranscriptionOptions {
        var options = fittingVoiceActivity(model)
        guard model.family == FastConformerOptions.family, options.whisper.changes == ["beamSize"] else {
            return options
        }
        options.fastConformer = FastConformerOptions(beamSize: options.whisper.beamSize)
        return options
    }

    private func fittingVoiceActivity(_ model: SpeechModelInformation) -> TranscriptionOptions {
        guard model.findsSpeech, whisper.voiceActivity == VoiceActivityOptions() || whisper.voiceActivity == .batched
        else { return self }
        return with { $0.whisper.voiceActivity = nil }
    }

    /// The options for one channel of a call, which is silent half of the time: models can hallucinate text in silence.
    func forOneChannel(of model: SpeechModelInformation) -> TranscriptionOptions {
        guard !model.findsSpeech, clips.isEmpty, batchSize == 1, whisper.voiceActivity == nil else { return self }
        return with { $0.whisper.voiceActivity = VoiceActivityOptions() }
    }
}
