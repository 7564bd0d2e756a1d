import StenoCore
import StenoSpeakers

/// The speakers of a live session: a label for every word when it becomes final, and corrections later.
final class LiveSpeakers {
    private let diarizer: any LiveDiarizer
    private let profiles: [SpeakerProfile]
    /// The number of the first voice; earlier numbers belong to a previous session.
    private let first: Int
    private var names: [Int: String] = [:]
    /// The samples of the last final word, and its utterance.
    private var last: (samples: Range<Int>, utterance: Int)?
    /// The number of searches for voices when names were last assigned.
    private var searches = 0

    /// - Throws: ``StenoError``: `resourceMissing`, `modelDamaged`, `outOfMemory`.
    convenience init(_ options: SpeakerOptions, numberedFrom first: Int) throws {
        let diarizer: any LiveDiarizer =
            try SpeakerModels.find()?.liveDiarizer()
            ?? OnlineDiarizer(encoder: GE2EEncoder(BundledSpeakerEncoder.model()))
        self.init(diarizer, profiles: options.profiles, numberedFrom: first)
    }

    init(_ diarizer: any LiveDiarizer, profiles: [SpeakerProfile] = [], numberedFrom first: Int = 0) {
        self.diarizer = diarizer
        self.profiles = profiles
        self.first = first
    }

    /// The number of the first voice of a session that continues a text, so that labels do not repeat.
    static func firstVoice(after text: LiveTranscript) -> Int {
        let labels = Set(text.finals.flatMap(\.words).compactMap(\.speaker))
        return labels.compactMap(Diarization.voice(named:)).max().map { $0 + 1 } ?? 0
    }

    func hear(_ samples: [Float]) { diarizer.append(samples) }

    /// Takes the probability of speech in the next window of the detector; returns corrections of earlier labels.
    func hear(probability: Float) -> [SpeakerChange] {
        diarizer.append(probability: probability)
        return changes()
    }

    func jump(by samples: Int) { diarizer.jump(by: samples) }

    /// Ends the audio; returns corrections of earlier labels.
    func finish() -> [SpeakerChange] {
        diarizer.finish()
        return changes()
    }

    /// Final segments with the speaker of every word.
    ///
    /// Punctuation that became final with the next word belongs to the word before it, even if another voice speaks
    /// next.
    func labelled(_ segments: [LiveSegment]) -> [LiveSegment] {
        segments.map { segment in
            var labelled = segment
            labelled.words = segment.words.map { word in
                let start = word.start.samples
                var samples = start..<max(start + 1, word.end.samples)
                if word.isTrailingMark, let last, last.utterance == segment.utterance { samples = last.samples }
                last = (samples, segment.utterance)
                return word.spoken(by: diarizer.voice(in: samples).map(name))
            }
            return labelled
        }
    }

    private func name(_ voice: Int) -> String { names[voice] ?? Diarization.name(first + voice) }

    private func changes() -> [SpeakerChange] {
        // This runs every 32 ms, but voices change every few seconds.
        guard diarizer.searches != searches else { return [] }
        searches = diarizer.searches
        let found = diarizer.takeChanges()
        var changes = found.map { change in
            SpeakerChange(
                start: change.range?.lowerBound.seconds ?? 0, end: change.range?.upperBound.seconds,
                was: name(change.was), now: name(change.now))
        }
        guard !profiles.isEmpty else { return changes }
        let now = SpeakerNames.names(of: diarizer.voices, profiles: profiles)
        // A name stays while the voice exists: it is not withdrawn for a less certain window.
        for voice in names.keys where diarizer.voices[voice] == nil { names[voice] = nil }
        for (voice, name) in now.sorted(by: { $0.key < $1.key })
        where names[voice] == nil && !names.values.contains(name) {
            changes.append(SpeakerChange(start: 0, end: nil, was: self.name(voice), now: name))
            names[voice] = name
        }
        return changes.filter { $0.was != $0.now }
    }
}
