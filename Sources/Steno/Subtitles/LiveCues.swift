import StenoCore

/// Splits growing text into cues, by the same rules as in files (``CueSplitter``).
///
/// A cue is decided as soon as no further text can change it, or when an utterance has ended and the next words are
/// known to come after the cue. Decided cues never change, so they can be written to a pipe. The cost does not depend
/// on the length of the session.
///
/// Differences from the cues of the same text in a file: a cue that is decided in silence does not continue into the
/// next utterance, and the language, whose function words decide where phrases end, is the one detected so far.
struct LiveCues {
    private let options: SubtitleOptions
    /// The words of segments that are in no decided cue.
    private var words: [[Word]] = []
    private var script = CueScript.Tally()
    private var phrases = PhraseWords.Tally()
    /// The time before which no cue appears: the end of the last one, and the gap after it.
    private var earliest = -Double.infinity
    /// The speaker of the words in no decided cue.
    var speaker: String?

    init(_ options: SubtitleOptions) { self.options = options }

    var hasOpenWords: Bool { words.contains { !$0.isEmpty } }

    /// Adds words; returns the cues that they decide.
    ///
    /// - Parameter startsSegment: Whether they begin an utterance.
    mutating func append(_ new: [Word], startsSegment: Bool) -> [Cue] {
        var decided: [Cue] = []
        var starts = startsSegment
        for turn in new.runs(by: \.speaker) {
            // A cue has one speaker.
            if turn.first?.speaker != speaker, hasOpenWords { decided += close(audioEnd: nil) }
            speaker = turn.first?.speaker
            decided += append(ofOneSpeaker: Array(turn), startsSegment: starts)
            starts = false
        }
        return decided
    }

    private mutating func append(ofOneSpeaker new: [Word], startsSegment: Bool) -> [Cue] {
        var decided: [Cue] = []
        // Without splitting a cue is a segment, decided with the first word of the next.
        if options.splitting == nil, startsSegment { decided = close(audioEnd: nil) }
        if startsSegment || words.isEmpty { words.append([]) }
        for word in new {
            words[words.count - 1].append(word)
            script.add(word.rawText)
            phrases.add(PhraseWords.key(word.rawText))
        }
        guard let splitter = splitter(audioEnd: nil) else { return decided }
        let (cues, rest) = splitter.decided()
        words = rest
        remember(cues)
        return decided + spoken(cues)
    }

    /// Adds punctuation to the last word, unless its cue is decided.
    mutating func join(_ mark: String) {
        guard !mark.isEmpty, let segment = words.lastIndex(where: { !$0.isEmpty }) else { return }
        let last = words[segment].count - 1
        words[segment][last].rawText += mark
    }

    /// The time of the words in no decided cue.
    var openSpan: (start: Double, end: Double)? {
        guard let first = words.first(where: { !$0.isEmpty })?.first,
            let last = words.last(where: { !$0.isEmpty })?.last
        else { return nil }
        return (first.start, last.end)
    }

    /// The cues of the words in no decided cue, as they would be if no text followed.
    func open(audioEnd: Double?) -> [Cue] {
        guard let splitter = splitter(audioEnd: audioEnd) else {
            let segments = words.filter { !$0.isEmpty }.enumerated().map { Segment(id: $0.offset, words: $0.element) }
            let text = Transcript(language: "", languageProbability: 1, duration: 0, segments: segments)
            return spoken(text.cues(options))
        }
        return spoken(splitter.cues())
    }

    private func spoken(_ cues: [Cue]) -> [Cue] {
        cues.map { cue in
            var cue = cue
            cue.speaker = speaker
            return cue
        }
    }

    /// - Parameter audioEnd: The end of the audio, when no text follows.
    mutating func close(audioEnd: Double?) -> [Cue] {
        let cues = open(audioEnd: audioEnd)
        words = []
        remember(cues)
        return cues
    }

    /// The minimum time between two cues, and the minimum length of a visible gap.
    var gap: Double { (options.splitting.map { limits($0).minGap } ?? 0) + CueTiming.flicker }

    private mutating func remember(_ cues: [Cue]) {
        guard let splitting = options.splitting, let last = cues.last else { return }
        earliest = last.end + limits(splitting).minGap
    }

    private func limits(_ splitting: CueSplitting) -> ReadingLimits { ReadingLimits(splitting, script: script.script) }

    private func splitter(audioEnd: Double?) -> CueSplitter? {
        options.splitting.map {
            CueSplitter(
                words, limits: limits($0), script: script.script, phrases: phrases.phrases, earliest: earliest,
                audioEnd: audioEnd)
        }
    }
}

extension Segment {
    fileprivate init(id: Int, words: [Word]) {
        self.init(
            id: id, start: words.first?.start ?? 0, end: words.last?.end ?? 0, text: words.map(\.rawText).joined(),
            words: words)
    }
}
