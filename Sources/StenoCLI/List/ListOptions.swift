import Steno
import StenoWhisper

/// The options of the recordings of a list, as far as their lines do not change them.
struct ListOptions: Sendable {
    let decoding: TranscriptionOptions
    /// How speakers are labelled; nil does not.
    let speakers: SpeakerOptions?
    /// Whether each channel is transcribed by itself.
    let separatesChannels: Bool

    /// The options of a recording whose line has these.
    func options(of listed: ListedOptions = ListedOptions()) -> TranscriptionOptions {
        var options = decoding
        listed.apply(to: &options)
        if separatesChannels { options = options.forOneChannel }
        options.speakers = speakers
        return options
    }
}

extension TranscriptionOptions {
    /// The options of one channel of a call, which is silent for half of it: a model may hear text in silence.
    var forOneChannel: TranscriptionOptions {
        guard clips.isEmpty, batchSize == 1, whisper.voiceActivity == nil else { return self }
        var options = self
        options.whisper.voiceActivity = VoiceActivityOptions()
        return options
    }
}
