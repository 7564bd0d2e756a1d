import StenoCore

/// What the networks say about a recording, from which ``Diarization`` finds who speaks when.
struct HeardSpeech {
    /// What the segmentation heard in each window, in order.
    var windows: [LocalActivity] = []
    /// The local speakers of the windows, in order.
    var voices: [LocalVoice] = []
    /// The voice around each moment.
    var moments: VoiceMoments
    /// How loud each frame is.
    var levels = FrameLevels()
    /// The number of samples.
    var sampleCount = 0
}
