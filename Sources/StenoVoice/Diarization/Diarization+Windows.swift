import StenoCore

extension Diarization {
    /// Finds voices and turns, which may overlap.
    ///
    /// - Parameter counts: The lowest and the highest number of voices; nil finds it.
    init(_ heard: HeardSpeech, counts: ClosedRange<Int>?, settings: OverlapSettings) {
        let speakers = heard.moments.confirmed(
            VoiceGrouping(heard.voices, settings).speakers(counts: counts), least: settings.leastMoments,
            share: settings.leastMomentShare, fewest: counts?.lowerBound ?? 1)
        let similarities = SpeakerSimilarities(heard.moments, speakers: speakers)
        let speaking = SpeechEdges(heard.levels, settings).counts(SpeakerTimeline.counts(heard.windows))
        var timeline = SpeakerTimeline(
            counts: speaking, speakers: speakers.count, pause: settings.pause,
            similarities: (similarities, settings.momentWeight))
        var rest = heard.voices[...]
        for (index, window) in heard.windows.enumerated() {
            let own = rest.prefix { $0.window == index }
            rest = rest.dropFirst(own.count)
            var labels = [Int?](repeating: nil, count: Powerset.speakers)
            let similarities = own.map { voice in speakers.map(voice.embedding.dot) }
            let found = SpeakerChoice.best(similarities, sharing: settings.sharing)
            for (voice, speaker) in zip(own, found) { labels[voice.speaker] = speaker }
            timeline.add(window, labels: labels)
        }
        let turns = timeline.finish().compactMap {
            Self.turn(frames: $0.frames, voice: $0.speaker, sampleCount: heard.sampleCount)
        }
        var seconds = [Double](repeating: 0, count: speakers.count)
        for turn in turns { seconds[turn.voice] += VoiceActivity.seconds(turn.range.count) }
        self.init(voices: zip(speakers, seconds).map { Voice(embedding: $0, seconds: $1) }, turns: turns)
    }

    /// The turn in samples: a frame is from half-way to the one before to half-way to the next.
    private static func turn(frames: Range<Int>, voice: Int, sampleCount: Int) -> Turn? {
        let step = SegmentationModel.frameStep
        let offset = SegmentationModel.firstFrameCentre - step / 2
        let start = offset + frames.lowerBound * step
        let end = min(offset + frames.upperBound * step, sampleCount)
        return start < end ? Turn(range: start..<end, voice: voice) : nil
    }
}
