import Foundation
import StenoCore
import StenoVoiceActivity

/// What the networks say about a recording, from which ``Diarization`` finds who speaks when.
struct HeardSpeech {
    /// What the segmentation heard in each window, in order.
    var windows: [LocalActivity] = []
    /// The local speakers of the windows, in order.
    var voices: [LocalVoice] = []
    var moments: VoiceMoments
    var levels = FrameLevels()
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

/// How loud a recording is in each frame of the segmentation, in two bytes a frame.
struct FrameLevels {
    /// The mean square of a frame's samples and the square of the largest, in steps of half a decibel from −100 dB on.
    private(set) var means: [UInt8]
    private(set) var peaks: [UInt8]
    /// The samples of the next frame so far; negative before the first frame, which begins half a step before its centre.
    private var count = -(SegmentationModel.firstFrameCentre - SegmentationModel.frameStep / 2)
    private var sum = 0.0
    private var peak = 0.0

    init(means: [UInt8] = [], peaks: [UInt8] = []) { (self.means, self.peaks) = (means, peaks) }

    mutating func append(_ samples: some Sequence<Float>) {
        for sample in samples {
            if count >= 0 {
                let power = Double(sample) * Double(sample)
                sum += power
                peak = max(peak, power)
            }
            count += 1
            if count == SegmentationModel.frameStep { endFrame() }
        }
    }

    /// Ends the recording, with silence up to a number of frames.
    mutating func finish(frames: Int) {
        if count > 0 { endFrame() }
        let missing = max(0, frames - means.count)
        means += [UInt8](repeating: 0, count: missing)
        peaks += [UInt8](repeating: 0, count: missing)
    }

    mutating func removeFirst(_ count: Int) {
        means.removeFirst(count)
        peaks.removeFirst(count)
    }

    private mutating func endFrame() {
        means.append(Self.level(sum / Double(SegmentationModel.frameStep)))
        peaks.append(Self.level(peak))
        (count, sum, peak) = (0, 0, 0)
    }

    private static func level(_ power: Double) -> UInt8 {
        guard power > 1e-10 else { return 0 }
        return UInt8(min(255, (2 * (10 * log10(power) + 100)).rounded()))
    }

    static let powers = (0..<256).map { pow(10, (Double($0) / 2 - 100) / 10) }
}

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

/// The speakers of a window's local speakers: the largest sum of similarities.
///
/// Local speakers are different people, unless the segmentation took one person for two: sharing a speaker costs
/// something. There are at most three local speakers, so all ways are tried.
struct SpeakerChoice {
    private let similarities: [[Float]]
    private let sharing: Float
    private var current: [Int] = []
    private var best: (speakers: [Int], sum: Float) = ([], -.infinity)

    /// The speaker of each row; none without speakers.
    ///
    /// - Parameters:
    ///   - similarities: Rows of one length: the similarity of a local speaker to each speaker.
    ///   - sharing: What each row costs that has the speaker of an earlier one.
    static func best(_ similarities: [[Float]], sharing: Float) -> [Int] {
        var choice = SpeakerChoice(similarities: similarities, sharing: sharing)
        choice.tryRest(sum: 0)
        return choice.best.speakers
    }

    private mutating func tryRest(sum: Float) {
        guard current.count < similarities.count else {
            if sum > best.sum { best = (current, sum) }
            return
        }
        for (speaker, similarity) in similarities[current.count].enumerated() {
            let cost = current.contains(speaker) ? sharing : 0
            current.append(speaker)
            tryRest(sum: sum + similarity - cost)
            current.removeLast()
        }
    }
}
