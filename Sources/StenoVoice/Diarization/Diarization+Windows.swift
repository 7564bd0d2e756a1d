import StenoCore

extension Diarization {
    /// Finds voices and turns, which may overlap.
    ///
    /// - Parameters:
    ///   - windows: What the segmentation heard in each window, in order.
    ///   - voices: The local speakers of the windows, in order.
    ///   - sampleCount: The length of the recording.
    ///   - counts: The lowest and the highest number of voices; nil finds it.
    init(
        windows: [LocalActivity], voices: [LocalVoice], sampleCount: Int, counts: ClosedRange<Int>?,
        settings: OverlapSettings
    ) {
        let speakers = VoiceGrouping(voices, settings).speakers(counts: counts)
        var timeline = SpeakerTimeline(speakers: speakers.count, pause: settings.pause)
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
        let turns = timeline.finish().compactMap {
            Self.turn(frames: $0.frames, voice: $0.speaker, sampleCount: sampleCount)
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
