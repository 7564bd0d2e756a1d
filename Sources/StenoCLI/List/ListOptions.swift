import Steno

/// The options of the recordings of a list, as far as their lines do not change them.
struct ListOptions: Sendable {
    let decoding: WhisperOptions
    /// How speakers are labelled; nil does not.
    let speakers: SpeakerOptions?
    /// Whether each channel is transcribed by itself.
    let separatesChannels: Bool

    /// The request of a recording whose line has these options.
    func request(_ listed: ListedOptions = ListedOptions()) -> TranscriptionRequest {
        var options = decoding
        listed.apply(to: &options)
        if separatesChannels { options = options.forOneChannel }
        var request = options.request
        request.speakers = speakers
        return request
    }
}

extension WhisperOptions {
    /// The options of one channel of a call, which is silent for half of it: a model may hear text in silence.
    var forOneChannel: WhisperOptions {
        guard clips.isEmpty, batchSize == 1, voiceActivity == nil else { return self }
        var options = self
        options.voiceActivity = VoiceActivityOptions()
        return options
    }
}
