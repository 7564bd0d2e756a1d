import StenoCore
import StenoVoiceActivity

extension Diarization {
    /// Finds voices and turns, which may overlap.
    ///
    /// - Parameter counts: The lowest and the highest number of voices; nil finds it.
    init(_ heard: HeardSpeech, counts: ClosedRange<Int>?, settings: OverlapSettings) {
        let speakers = heard.moments.confirmed(
            VoiceGrouping(heard.voices, settings).speakers(counts: counts), least: settings.leastMoments,
            share: settings.leastMomentShare, fewest: counts?.lowerBound ?? 1)
        let turns = heard.turns(of: speakers, settings).compactMap { turn in
            let range = SegmentationModel.samples(ofFrames: turn.frames).clamped(to: 0..<heard.sampleCount)
            return range.isEmpty ? nil : Turn(range: range, voice: turn.speaker)
        }
        var seconds = [Double](repeating: 0, count: speakers.count)
        for turn in turns { seconds[turn.voice] += VoiceActivity.seconds(turn.range.count) }
        self.init(voices: zip(speakers, seconds).map { Voice(embedding: $0, seconds: $1) }, turns: turns)
    }
}
