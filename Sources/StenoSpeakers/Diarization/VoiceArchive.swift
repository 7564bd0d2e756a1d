import StenoCore
import StenoVoiceActivity

/// The voices of a live session, and the speakers among them, whose numbers stay the same.
///
/// It keeps the latest voices of the windows, and some older ones of each speaker, so that a person who returns after an
/// hour has the number of before.
struct VoiceArchive {
    /// The number of voices above which older ones are thinned out, and the number of latest ones that are all kept.
    private static let limit = (all: 320, latest: 160)
    /// A speaker with at most this many voices keeps the older ones.
    private static let leastOfSpeaker = 12

    /// A local speaker's voice, and the number of the speaker.
    private struct Entry {
        let voice: LocalVoice
        var number: Int
    }

    private let settings: OverlapSettings
    private var entries: [Entry] = []
    private var numbering = VoiceNumbers()
    /// How long each speaker was heard at most in a stretch of some minutes, in samples.
    private var samples: [Int: Int] = [:]
    /// The speakers, in order of their numbers.
    private(set) var speakers: [(number: Int, embedding: SpeakerEmbedding)] = []

    init(settings: OverlapSettings) { self.settings = settings }

    var count: Int { entries.count }

    var voices: [Int: Diarization.Voice] {
        let pairs = speakers.map { speaker in
            let seconds = VoiceActivity.seconds(samples[speaker.number] ?? 0)
            return (speaker.number, Diarization.Voice(embedding: speaker.embedding, seconds: seconds))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    mutating func add(_ voices: [LocalVoice]) {
        for voice in voices {
            let nearest = speakers.isEmpty ? nil : voice.embedding.mostSimilar(of: speakers.map(\.embedding)).index
            entries.append(Entry(voice: voice, number: nearest.map { speakers[$0].number } ?? 0))
        }
        let kept = VoiceNumbers.kept(entries.map(\.number), limit: Self.limit, least: Self.leastOfSpeaker) {
            settings.defines(entries[$0].voice)
        }
        entries = kept.map { entries[$0] }
    }

    /// Finds the speakers again; returns those that turned out to be others.
    ///
    /// - Parameter moments: The latest moments, at some of which a new speaker must be heard.
    mutating func findSpeakers(moments: VoiceMoments) -> [(was: Int, now: Int)] {
        var means = VoiceGrouping(entries.map(\.voice), settings).speakers(counts: nil)
        guard !means.isEmpty else { return [] }
        let known = Set(speakers.map(\.number))
        while true {
            let found = entries.map { $0.voice.embedding.mostSimilar(of: means).index }
            var numbering = self.numbering
            let numbers = numbering.numbers(of: found, had: entries.map(\.number), count: means.count)
            let isNew = numbers.map { !known.contains($0) }
            if let unheard = moments.unheard(
                means, isNew: isNew, least: settings.leastMoments, share: settings.leastMomentShare),
                means.count > 1
            {
                means.remove(at: unheard)
                continue
            }
            self.numbering = numbering
            return take(means, numbers, found)
        }
    }

    /// Notes how long each speaker is heard in the latest minutes.
    mutating func hear(_ turns: [(number: Int, samples: Int)]) {
        var sums: [Int: Int] = [:]
        for turn in turns { sums[turn.number, default: 0] += turn.samples }
        samples.merge(sums) { max($0, $1) }
    }

    private mutating func take(
        _ means: [SpeakerEmbedding], _ numbers: [Int], _ found: [Int]
    ) -> [(was: Int, now: Int)] {
        let (had, now) = (entries.map(\.number), found.map { numbers[$0] })
        var heirs: [(was: Int, now: Int)] = []
        for gone in speakers.map(\.number) where !numbers.contains(gone) {
            guard let heir = VoiceNumbers.heir(of: gone, had: had, now: now) else { continue }
            heirs.append((gone, heir))
            samples[heir, default: 0] += samples.removeValue(forKey: gone) ?? 0
        }
        for (index, number) in now.enumerated() { entries[index].number = number }
        speakers = zip(numbers, means).map { ($0, $1) }.sorted { $0.0 < $1.0 }
        return heirs
    }
}
