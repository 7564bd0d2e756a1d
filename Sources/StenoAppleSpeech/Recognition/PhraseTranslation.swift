package import Steno
import StenoCore

/// Turns the phrases of a recogniser into the events of a session.
///
/// Final text follows all final text before it, times never go back, and a guess keeps its id when it becomes final.
/// Final text is never punctuation only: that comes with the next word, or with the end of the utterance. It is a pure
/// value, so that it can be tested with any reports, without a recogniser.
package struct PhraseTranslation: Sendable {
    private var nextID = 0
    private var utterance = 0
    /// The end of the final text, in seconds.
    private var end = 0.0
    private var lastCharacter: Character?
    /// Punctuation after the final text that a recogniser reported separately.
    private var mark = ""
    /// The guesses after the final text, in order.
    private var guesses: [RecognizedPhrase] = []
    /// Phrases that were made final or cleared before the recogniser finished them: later reports about them are
    /// ignored.
    private var settled: [RecognizedPhrase] = []
    /// Text of the audio before this time has been cleared.
    private var cleared = 0.0

    /// A pause that ends an utterance, in seconds.
    private static let pause = 1.0

    package init() {}

    package mutating func apply(_ phrase: RecognizedPhrase, position: Double) -> [TranscriptionEvent] {
        guard phrase.start >= cleared || phrase.end > cleared else { return [] }
        // A guess is replaced by the next report about the same audio.
        guesses.removeAll { $0.start < phrase.end && phrase.start < $0.end || phrase.isFinal && $0.end <= phrase.end }
        if phrase.isFinal { settled.removeAll { $0.end <= phrase.start } }
        guard let rest = withoutLateText(phrase), !rest.isBlank else { return [partial(position)] }
        guard rest.isFinal else {
            guesses.append(rest)
            guesses.sort { $0.start < $1.start }
            return [partial(position)]
        }
        return final([rest], position)
    }

    /// Makes the guesses before a time final: the recogniser was asked to finalize them, and may report nothing more.
    ///
    /// A guess that continues after the time is cut there; without word times it becomes final as a whole.
    package mutating func promote(through seconds: Double, position: Double) -> [TranscriptionEvent] {
        let due = removeGuesses(before: seconds, cutsUntimed: false)
        settled += due
        return final(due, position)
    }

    /// Makes everything final and ends the utterance.
    package mutating func finish(position: Double) -> [TranscriptionEvent] {
        let events = promote(through: .infinity, position: position)
        return nextID == 0 ? events : events + [endUtterance(position)]
    }

    /// Discards the text so far and later reports about the audio before a time.
    package mutating func clear(before seconds: Double) {
        settled = removeGuesses(before: seconds, cutsUntimed: true)
        (lastCharacter, mark) = (nil, "")
        cleared = seconds
    }

    /// Removes the guesses, or the parts of them, that are before a time.
    private mutating func removeGuesses(before seconds: Double, cutsUntimed: Bool) -> [RecognizedPhrase] {
        var removed: [RecognizedPhrase] = []
        var rest: [RecognizedPhrase] = []
        for guess in guesses {
            let isWhole = guess.words.isEmpty && !cutsUntimed && guess.start < seconds
            let parts = isWhole ? (before: guess, after: nil) : guess.split(at: seconds)
            if var before = parts.before {
                before.isFinal = true
                removed.append(before)
            }
            if let after = parts.after { rest.append(after) }
        }
        guesses = rest
        return removed
    }

    /// The part of a phrase that was neither made final nor cleared before; nil if there is none.
    private func withoutLateText(_ phrase: RecognizedPhrase) -> RecognizedPhrase? {
        var rest = phrase
        for earlier in settled where earlier.start < rest.end && rest.start < earlier.end {
            guard let after = rest.after(earlier) else { return nil }
            rest = after
        }
        return rest.start < cleared ? rest.split(at: cleared).after : rest
    }

    private mutating func final(_ phrases: [RecognizedPhrase], _ position: Double) -> [TranscriptionEvent] {
        var events: [TranscriptionEvent] = []
        for phrase in phrases {
            if Word.key(phrase.text).isEmpty {
                mark += phrase.text
                end = max(end, phrase.end)
                lastCharacter = phrase.text.last
                continue
            }
            if nextID > 0, phrase.start - end >= Self.pause {
                events.append(endUtterance(position))
                utterance += 1
            }
            var segment = segment(phrase, id: nextID, isFinal: true, after: (end, lastCharacter), utterance: utterance)
            segment.begin(with: mark)
            mark = ""
            nextID += 1
            end = segment.end
            lastCharacter = segment.text.last
            events.append(
                .init(.final(text: segment.text, segments: [segment], partials: partialSegments), position: position))
        }
        // A guess that was only punctuation is no longer shown.
        return events.isEmpty && !phrases.isEmpty ? [partial(position)] : events
    }

    private mutating func endUtterance(_ position: Double) -> TranscriptionEvent {
        defer { mark = "" }
        return .init(.utteranceEnd(utterance, mark: mark), position: position)
    }

    private func partial(_ position: Double) -> TranscriptionEvent {
        let segments = partialSegments
        return .init(.partial(text: segments.map(\.text).joined(), segments: segments), position: position)
    }

    private var partialSegments: [LiveSegment] {
        var segments: [LiveSegment] = []
        var before: (end: Double, character: Character?) = (end, lastCharacter)
        var utterance = self.utterance
        for guess in guesses {
            if nextID + segments.count > 0, guess.start - before.end >= Self.pause { utterance += 1 }
            let segment = segment(
                guess, id: nextID + segments.count, isFinal: false, after: before, utterance: utterance)
            segments.append(segment)
            before = (segment.end, segment.text.last)
        }
        return segments
    }

    private func segment(
        _ phrase: RecognizedPhrase, id: Int, isFinal: Bool, after before: (end: Double, character: Character?),
        utterance: Int
    ) -> LiveSegment {
        let start = max(phrase.start, before.end), text = spaced(phrase.text, after: before.character)
        var words = phrase.words
        if let first = words.first { words[0].rawText = spaced(first.rawText, after: before.character) }
        return LiveSegment(
            id: id, start: start, end: max(start, phrase.end), text: text, isFinal: isFinal, words: words,
            utterance: utterance)
    }

    /// The text with a space before it, as models write it, unless the script has none.
    private func spaced(_ text: String, after character: Character?) -> String {
        guard let first = text.first, !first.isWhitespace else { return text }
        let isSpaceless = first.isUnspaced || first.isPunctuation && character?.isUnspaced == true
        return isSpaceless ? text : " " + text
    }
}

extension LiveSegment {
    /// Inserts punctuation that follows the previous word at the beginning, as a word of its own.
    fileprivate mutating func begin(with mark: String) {
        guard !mark.isEmpty else { return }
        text = mark + text
        if !words.isEmpty { words.insert(Word(rawText: mark, start: start, end: start, probability: 1), at: 0) }
    }
}

extension Character {
    /// Whether its script has no spaces between words.
    fileprivate var isUnspaced: Bool { unicodeScalars.contains(where: UnspacedScript.contains) }
}
