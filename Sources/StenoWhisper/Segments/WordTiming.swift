import StenoCore

/// Turns aligned words into the words of segments and corrects implausible durations.
///
/// The alignment is accurate within speech and poor at pauses, where it stretches a word over the silence. These are
/// openai-whisper's corrections as faster-whisper implements them, quirks included; nothing has been retuned.
struct WordTiming: Sendable {
    private static let sentenceEnds = ".。!！?？"
    /// A segment's own time, in seconds, overrides a word's time that differs by more than this.
    private static let slack = 0.5

    /// Half of the longest plausible duration.
    private let median: Double
    private var longest: Double { median * 2 }
    private let words: [UtteranceWord]

    init(_ aligned: [UtteranceWord], merger: PunctuationMerger) {
        let durations = aligned.map { $0.end - $0.start }.filter { $0 != 0 }.sorted()
        median = min(0.7, Self.median(durations))
        var words = aligned
        if !durations.isEmpty { Self.shortenAtSentenceEnds(&words, longest: median * 2) }
        merger.merge(&words)
        self.words = words
    }

    /// Assigns each segment its words and reconciles the times of words and segments.
    ///
    /// - Parameters:
    ///   - offset: Where the window starts, in seconds.
    ///   - lastSpeech: Where the last word before the window ended.
    ///   - endOfText: The first id that is not text.
    func attach(to drafts: inout [SegmentDraft], offset: Double, lastSpeech: Double, endOfText: Int) {
        var next = 0
        var lastSpeech = lastSpeech
        for index in drafts.indices {
            let tokenCount = drafts[index].tokens.count { $0 < endOfText }
            var taken = 0
            var own: [Word] = []
            while next < words.count, taken < tokenCount {
                let word = words[next]
                if !word.text.isEmpty { own.append(rounded(word, offset: offset)) }
                taken += word.handle.count
                next += 1
            }
            if !own.isEmpty {
                shortenAfterPause(&own, lastSpeech: lastSpeech)
                reconcile(&drafts[index], &own)
                lastSpeech = drafts[index].end
            }
            drafts[index].words = own
        }
    }

    /// Limits a word at the end of a sentence, and the first word of the next, to twice the median.
    private static func shortenAtSentenceEnds(_ words: inout [UtteranceWord], longest: Double) {
        for index in words.indices.dropFirst() where words[index].end - words[index].start > longest {
            if sentenceEnds.contains(words[index].text) {
                words[index].end = words[index].start + longest
            } else if sentenceEnds.contains(words[index - 1].text) {
                words[index].start = words[index].end - longest
            }
        }
    }

    /// Limits the first words after a pause to twice the median.
    private func shortenAfterPause(_ words: inout [Word], lastSpeech: Double) {
        guard words[0].end - lastSpeech > median * 4 else { return }
        let isLong = words[0].end - words[0].start > longest
        let pairIsLong = words.count > 1 && words[1].end - words[0].start > longest * 2
        guard isLong || pairIsLong else { return }
        if words.count > 1, words[1].end - words[1].start > longest {
            let boundary = max(words[1].end / 2, words[1].end - longest)
            words[0].end = boundary
            words[1].start = boundary
        }
        words[0].start = max(0, words[0].end - longest)
    }

    /// The segment's own times replace those of a first or last word that is too long; otherwise the words' times are
    /// used.
    private func reconcile(_ draft: inout SegmentDraft, _ words: inout [Word]) {
        let last = words.count - 1
        if draft.start < words[0].end, draft.start - Self.slack > words[0].start {
            words[0].start = max(0, min(words[0].end - median, draft.start))
        } else {
            draft.start = words[0].start
        }
        if draft.end > words[last].start, draft.end + Self.slack < words[last].end {
            words[last].end = max(words[last].start + median, draft.end)
        } else {
            draft.end = words[last].end
        }
    }

    private func rounded(_ word: UtteranceWord, offset: Double) -> Word {
        Word(
            rawText: word.text, start: Hundredths.rounded(offset + word.start),
            end: Hundredths.rounded(offset + word.end), probability: word.probability)
    }

    private static func median(_ sorted: [Double]) -> Double {
        guard !sorted.isEmpty else { return 0 }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}

/// Joins punctuation to the neighbouring word, so that no quotation mark or comma becomes a word of its own.
struct PunctuationMerger: Sendable {
    /// Marks joined to the following word.
    let prepended: String
    /// Marks joined to the preceding word.
    let appended: String

    /// Joins marks to words; a mark that was joined remains as a word without text and tokens, as in the reference.
    func merge(_ words: inout [UtteranceWord]) {
        mergePrepended(&words)
        mergeAppended(&words)
    }

    private func mergePrepended(_ words: inout [UtteranceWord]) {
        var following = words.count - 1
        for index in words.indices.dropLast().reversed() {
            let mark = words[index].text
            guard mark.hasPrefix(" "), mark.trimmingWhitespace.isContained(in: prepended) else {
                following = index
                continue
            }
            words[following].text = mark + words[following].text
            words[following].handle = words[index].handle + words[following].handle
            words[index].text = ""
            words[index].handle = []
        }
    }

    private func mergeAppended(_ words: inout [UtteranceWord]) {
        var previous = 0
        for index in words.indices.dropFirst() {
            let mark = words[index].text
            guard !words[previous].text.hasSuffix(" "), mark.isContained(in: appended) else {
                previous = index
                continue
            }
            words[previous].text += mark
            words[previous].handle += words[index].handle
            words[index].text = ""
            words[index].handle = []
        }
    }
}

extension String {
    /// Whether the text is a substring of a list of marks; the empty text is a substring of any.
    func isContained(in marks: String) -> Bool { isEmpty || marks.contains(self) }
}
