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

    /// Who speaks when, of some speakers: frames, which may overlap, and the index of the speaker, in order.
    func turns(of speakers: [SpeakerEmbedding], _ settings: OverlapSettings) -> [(frames: Range<Int>, speaker: Int)] {
        let similarities = SpeakerSimilarities(moments, speakers: speakers)
        let speaking = SpeechEdges(levels, settings).counts(SpeakerTimeline.counts(windows))
        var timeline = SpeakerTimeline(
            counts: speaking, speakers: speakers.count, pause: settings.pause,
            similarities: (similarities, settings.momentWeight))
        var rest = voices[...]
        for (index, window) in windows.enumerated() {
            let own = rest.prefix { $0.window == index }
            rest = rest.dropFirst(own.count)
            var labels = [Int?](repeating: nil, count: Powerset.speakers)
            let similarities = own.map { voice in speakers.map(voice.embedding.dot) }
            let found = SpeakerChoice.best(similarities, sharing: settings.sharing)
            for (voice, speaker) in zip(own, found) { labels[voice.speaker] = speaker }
            timeline.add(window, labels: labels)
        }
        return timeline.finish()
    }
}
