package import Steno
import StenoCore

/// Turns the phrases of a recogniser into the events of a session.
///
/// Final text follows all final text before it, times never go back, and a guess keeps its id when it becomes final. A
/// pure value, so that what a recogniser may report can be tested without one.
package struct PhraseTranslation: Sendable {
    private var nextID = 0
    private var utterance = 0
    /// The end of the final text, in seconds.
    private var end = 0.0
    private var lastCharacter: Character?
    /// The guesses after the final text, in order.
    private var guesses: [RecognizedPhrase] = []
    /// The span of guesses that were made final before the recogniser did: its own final text of it comes too late.
    private var promoted = 0.0..<0.0
    /// Phrases that start before this time were cleared.
    private var cleared = 0.0

    /// A pause that ends an utterance, in seconds.
    private static let pause = 1.0

    /// Begins with no text.
    package init() {}

    /// Takes a phrase and returns the events it makes.
    package mutating func apply(_ phrase: RecognizedPhrase, position: Double) -> [TranscriptionEvent] {
        guard phrase.start >= cleared else { return [] }
        // A guess is replaced by what is reported of the same audio.
        guesses.removeAll { $0.start < phrase.end && phrase.start < $0.end || phrase.isFinal && $0.end <= phrase.end }
        let isLate = !promoted.isEmpty && phrase.start < promoted.upperBound && phrase.end > promoted.lowerBound
        let isEmpty = phrase.text.allSatisfy(\.isWhitespace)
        if isLate || isEmpty { return [partial(position)] }
        guard phrase.isFinal else {
            guesses.append(phrase)
            guesses.sort { $0.start < $1.start }
            return [partial(position)]
        }
        return final([phrase], position)
    }

    /// Makes guesses that end at a time or before final: the recogniser was asked to, and may report nothing more.
    package mutating func promote(through seconds: Double, position: Double) -> [TranscriptionEvent] {
        let due = guesses.prefix { $0.end <= seconds }
        guard let first = due.first, let last = due.last else { return [] }
        promoted = first.start..<max(first.start, last.end)
        let phrases = Array(due)
        guesses.removeFirst(due.count)
        return final(phrases, position)
    }

    /// Makes everything final and ends the utterance.
    package mutating func finish(position: Double) -> [TranscriptionEvent] {
        let events = promote(through: .infinity, position: position)
        return nextID == 0 ? events : events + [.utteranceEnd(utterance, position: position)]
    }

    /// Forgets the text so far and what the recogniser may still report of the audio before a time.
    package mutating func clear(before seconds: Double) {
        guesses = []
        lastCharacter = nil
        cleared = seconds
    }

    private mutating func final(_ phrases: [RecognizedPhrase], _ position: Double) -> [TranscriptionEvent] {
        var events: [TranscriptionEvent] = []
        for phrase in phrases {
            if nextID > 0, phrase.start - end >= Self.pause {
                events.append(.utteranceEnd(utterance, position: position))
                utterance += 1
            }
            let segment = segment(phrase, id: nextID, isFinal: true, after: (end, lastCharacter), utterance: utterance)
            nextID += 1
            end = segment.end
            lastCharacter = segment.text.last
            events.append(
                .final(text: segment.text, segments: [segment], partials: partialSegments, position: position))
        }
        return events
    }

    private func partial(_ position: Double) -> TranscriptionEvent {
        let segments = partialSegments
        return .partial(text: segments.map(\.text).joined(), segments: segments, position: position)
    }

    private var partialSegments: [TranscriptSegment] {
        var segments: [TranscriptSegment] = []
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
    ) -> TranscriptSegment {
        let start = max(phrase.start, before.end), text = spaced(phrase.text, after: before.character)
        var words = phrase.words
        if let first = words.first { words[0].word = spaced(first.word, after: before.character) }
        return TranscriptSegment(
            id: id, start: start, end: max(start, phrase.end), text: text, isFinal: isFinal, words: words,
            utterance: utterance)
    }

    /// The text with a space before it, as models write it, unless the script has none.
    private func spaced(_ text: String, after character: Character?) -> String {
        guard let first = text.first, !first.isWhitespace else { return text }
        let isSpaceless = first.hasNoSpaces || first.isPunctuation && character?.hasNoSpaces == true
        return isSpaceless ? text : " " + text
    }
}

extension Character {
    /// Whether words of its script follow one another without spaces: Han, kana, Thai, Lao, Khmer, Burmese.
    fileprivate var hasNoSpaces: Bool {
        guard let scalar = unicodeScalars.first?.value else { return false }
        return switch scalar {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3001...0x30FF, 0x3400...0x9FFF, 0xF900...0xFAFF,
            0xFF00...0xFFEF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
