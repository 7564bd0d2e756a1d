import StenoCore

/// Finds who speaks while audio arrives, also where several people speak at once.
///
/// As ``OverlapDiarizer`` does for a recording, on windows of up to 10 s that end with the latest audio, one each second,
/// and whenever a word is later than the last of them. After each window, the speakers are found again among the voices
/// of ``VoiceArchive``, and the turns of the last minute from them. Words of that minute whose speaker is another one
/// then are corrected.
package final class OnlineOverlapDiarizer: LiveDiarizer {
    /// How much audio may still be corrected: a minute.
    private static let correctable = 60 * 16_000 / SegmentationModel.frameStep
    /// A word that is later than the last window by as many frames is worth a window: a quarter of a second.
    private static let worthWindow = 15
    /// Words whose shares of two turns differ by less are in both: 0.02 s.
    private static let sameShare = 320

    /// Turns that can no longer be corrected: words may become final long after they were said.
    private static let mostPast = 500

    /// A turn in samples of all audio.
    private struct Turn {
        var range: Range<Int>
        var voice: Int
    }

    private let networks: WindowNetworks
    private var settings: OverlapSettings { networks.settings }
    private var archive: VoiceArchive
    /// The sample at which frame 0 of ``latest`` begins.
    private var origin = 0
    /// The samples from `audioStart` on, counted from the origin.
    private var audio: [Float] = []
    private var audioStart = 0
    /// What the networks said about the latest audio.
    private var latest: HeardSpeech
    private var windows = 0
    /// The frames of the last window end here.
    private var heardFrames = 0
    private var hasSpeech = false
    /// The turns before ``origin``, and all of them.
    private var past: [Turn] = []
    private var turns: [Turn] = []
    /// The labels that were given and may be corrected.
    private var answers: [Turn] = []
    private var changes: [VoiceChange] = []
    package private(set) var searches = 0

    /// Each of the networks is for this diarizer only.
    package init(
        segmentation: any LocalSpeakerNetwork, embedding: any LocalVoiceNetwork, settings: OverlapSettings = .live
    ) {
        networks = WindowNetworks(segmentation: segmentation, embedding: embedding, settings: settings)
        archive = VoiceArchive(settings: settings)
        latest = HeardSpeech(moments: VoiceMoments(step: settings.momentStep))
    }

    package var voices: [Int: Diarization.Voice] { archive.voices }

    var kept: (samples: Int, frames: Int, voices: Int) {
        (audio.count, latest.levels.means.count, latest.voices.count + archive.count)
    }

    package func append(_ samples: [Float]) {
        // In pieces, so that a long block has as many windows as short ones.
        let most = SegmentationModel.frameStep * settings.step
        for start in stride(from: 0, to: samples.count, by: most) {
            take(samples[start..<min(start + most, samples.count)])
        }
    }

    private func take(_ samples: ArraySlice<Float>) {
        audio += samples.lazy.map { $0.isFinite ? $0 : 0 }
        latest.levels.append(audio.suffix(samples.count))
        if frames - heardFrames >= settings.step { takeWindow() }
        // Only rarely, because this moves the rest.
        let unused = audio.count - SegmentationModel.windowSamples
        guard unused > SegmentationModel.windowSamples else { return }
        let whole = unused / SegmentationModel.frameStep * SegmentationModel.frameStep
        audio.removeFirst(whole)
        audioStart += whole
    }

    /// Does nothing, because the segmentation says who speaks.
    package func append(probability: Float) {}

    package func jump(by samples: Int) {
        takeWindow(isEnd: true)
        moveOrigin(by: audioStart + audio.count + samples)
        (audio, audioStart, heardFrames) = ([], 0, 0)
        latest = HeardSpeech(moments: VoiceMoments(step: settings.momentStep))
    }

    package func finish() { takeWindow(isEnd: true) }

    package func voice(in range: Range<Int>) -> Int? {
        let end = origin + SegmentationModel.samples(ofFrames: 0..<heardFrames).upperBound
        if range.upperBound > end, frames - heardFrames >= Self.worthWindow { takeWindow() }
        guard let voice = found(in: range) else { return nil }
        answers.append(Turn(range: range, voice: voice))
        return voice
    }

    package func takeChanges() -> [VoiceChange] {
        defer { changes = [] }
        return changes
    }

    /// The number of whole frames in the audio since the origin.
    private var frames: Int { SegmentationModel.frames(in: audioStart + audio.count) }

    /// Hears the audio up to now.
    private func takeWindow(isEnd: Bool = false) {
        let end = frames
        guard end > heardFrames else { return }
        let first = max(0, end - SegmentationModel.framesPerWindow)
        let start = first * SegmentationModel.frameStep - audioStart
        let length = SegmentationModel.frameLength + (end - first - 1) * SegmentationModel.frameStep
        // A moment needs the audio around it.
        let known = isEnd ? end : end - settings.momentReach
        let found = networks.hear(
            [(first, Array(audio[start..<start + length]))], numberedFrom: windows, moments: &latest.moments
        ) { _, _ in known }
        for (activity, voices) in found {
            hasSpeech = hasSpeech || activity.speaking.contains { $0 != 0 }
            latest.windows.append(activity)
            latest.voices += voices
            archive.add(voices)
        }
        windows += 1
        heardFrames = end
        forget()
        search()
    }

    /// Forgets what can no longer be corrected.
    private func forget() {
        guard heardFrames > 2 * Self.correctable else { return }
        let step = settings.momentStep
        let count = (heardFrames - Self.correctable) / step * step
        let old = latest.windows.prefix { $0.first < count }.count
        latest.windows.removeFirst(old)
        latest.windows = latest.windows.map { LocalActivity($0, movedBy: -count) }
        latest.voices.removeFirst(latest.voices.prefix { $0.window < windows - latest.windows.count }.count)
        latest.moments.removeFirst(count / step)
        latest.levels.removeFirst(count)
        heardFrames -= count
        let samples = count * SegmentationModel.frameStep
        audioStart -= samples
        moveOrigin(by: samples)
    }

    /// Frame 0 begins later from now on; what is before it does not change any more.
    private func moveOrigin(by samples: Int) {
        origin += samples
        let before = turns.filter { $0.range.lowerBound < origin }
        past = before.suffix(Self.mostPast).map { Turn(range: $0.range.clamped(to: 0..<origin), voice: $0.voice) }
        answers.removeAll { $0.range.lowerBound < origin }
    }

    /// Finds the speakers and their turns again.
    private func search() {
        searches += 1
        for (was, now) in archive.findSpeakers(moments: latest.moments) {
            changes.append(VoiceChange(range: nil, was: was, now: now))
            for index in answers.indices where answers[index].voice == was { answers[index].voice = now }
            for index in past.indices where past[index].voice == was { past[index].voice = now }
        }
        let speakers = archive.speakers
        var recent = latest
        let first = windows - recent.windows.count
        recent.voices = recent.voices.map { $0.moved(toWindow: $0.window - first) }
        let found = recent.turns(of: speakers.map(\.embedding), settings).map { turn in
            let own = SegmentationModel.samples(ofFrames: turn.frames)
            return Turn(range: origin + own.lowerBound..<origin + own.upperBound, voice: speakers[turn.speaker].number)
        }
        archive.hear(found.map { ($0.voice, $0.range.count) })
        turns = past + found
        correct()
    }

    /// Corrects the words whose speaker is another one now.
    private func correct() {
        for index in answers.indices {
            let (range, was) = (answers[index].range, answers[index].voice)
            guard range.lowerBound >= origin, let now = found(in: range), now != was else { continue }
            answers[index].voice = now
            if let last = changes.last, let own = last.range, last.was == was, last.now == now,
                index > 0, answers[index - 1].range.upperBound == own.upperBound, range.lowerBound >= own.lowerBound
            {
                changes[changes.count - 1].range = own.lowerBound..<max(own.upperBound, range.upperBound)
            } else {
                changes.append(VoiceChange(range: range, was: was, now: now))
            }
        }
    }

    /// The voice with most of some samples; in silence, that of the nearest turn.
    ///
    /// Of two who speak all the time, it is the one with the shorter turn: a short answer.
    private func found(in range: Range<Int>) -> Int? {
        let shares = turns.map { $0.range.clamped(to: range).count }
        guard let most = shares.max(), most > 0 else {
            let middle = (range.lowerBound + range.upperBound) / 2
            let nearest = turns.min { Self.distance($0.range, middle) < Self.distance($1.range, middle) }
            return nearest?.voice ?? (hasSpeech ? 0 : nil)
        }
        let equal = turns.indices.filter { most - shares[$0] < Self.sameShare }
        return equal.min { turns[$0].range.count < turns[$1].range.count }.map { turns[$0].voice }
    }

    private static func distance(_ range: Range<Int>, _ sample: Int) -> Int {
        max(range.lowerBound - sample, sample - range.upperBound, 0)
    }
}
