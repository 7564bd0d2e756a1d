import Steno
import StenoCore

/// The text of one task: its guesses, and text made final before the task finished it.
///
/// Some systems restart a task's text after a pause, without a final result. The earlier text is then made final, and
/// is recognised if a later result repeats it, with other punctuation or a corrected word.
struct TaskText: Sendable {
    let start: Int
    /// The position after the audio that the task received.
    private var end: Int
    /// The task's guess after ``confirmed``.
    private var guess = ""
    /// How far the guess may reach: the end of its last word, or of the audio when it arrived.
    private var guessEnd: Int
    /// The text made final before the end of the task, and the position where the text after it begins.
    private var confirmed = ""
    private var textStart: Int
    /// Where speech has ended since ``textStart``.
    private var pauses: [Int] = []
    private var isSpeech = false

    /// Begins with the first audio of a task.
    init(_ audio: KeptAudio.Stretch) {
        (start, end, guessEnd, textStart) = (audio.start, audio.end, audio.start, audio.start)
        guard let speech = audio.speech else { return }
        isSpeech = speech.upperBound == audio.end
        if !isSpeech { pauses = [speech.upperBound] }
    }

    /// Records that the task received more audio.
    mutating func hear(_ count: Int, isSpeech: Bool) {
        if self.isSpeech, !isSpeech { pauses.append(end) }
        self.isSpeech = isSpeech
        end += count
    }

    /// Takes the task's whole text so far, and returns the resulting phrases.
    ///
    /// - Parameter words: Their times count from the start of the task; all are 0 if they are not known yet.
    mutating func take(_ text: String, words: [Word], isFinal: Bool) -> [RecognizedPhrase] {
        let isTimed = (words.last?.end ?? 0) > 0
        var all = phrase(text, isTimed ? words : [], isFinal: isFinal)
        all = withoutConfirmed(all)
        let kept = keepGuessBefore(all.text)
        let heard = isTimed ? all.end.samples : end
        if !kept.isEmpty { all.start = all.words.first?.start ?? max(all.start, min(all.end, textStart.seconds)) }
        // A repeated guess does not cover any new audio.
        if isTimed || all.text != guess { guessEnd = heard }
        guess = isFinal ? "" : all.text
        return kept + [all]
    }

    /// Makes displayed text final, although the task will not confirm it.
    mutating func keepGuess() -> [RecognizedPhrase] { keepGuess(through: end) }

    private mutating func keepGuess(through position: Int) -> [RecognizedPhrase] {
        guard !guess.isEmpty else { return [] }
        defer { guess = "" }
        return [RecognizedPhrase(guess, start: textStart.seconds, end: position.seconds, isFinal: true)]
    }

    private func phrase(_ text: String, _ words: [Word], isFinal: Bool) -> RecognizedPhrase {
        let moved = words.map {
            Word(
                rawText: $0.rawText, start: $0.start + start.seconds, end: $0.end + start.seconds,
                probability: $0.probability)
        }
        let first = moved.first?.start ?? textStart.seconds
        return RecognizedPhrase(
            text, start: first, end: max(first, moved.last?.end ?? end.seconds), words: moved, isFinal: isFinal)
    }

    /// The part of a text that is not final yet.
    private func withoutConfirmed(_ phrase: RecognizedPhrase) -> RecognizedPhrase {
        guard !confirmed.isEmpty else { return phrase }
        var rest = phrase
        if let cut = RepeatedText.end(of: confirmed, in: phrase.text) {
            rest.text = String(phrase.text[cut...])
            var letters = RepeatedText.letters(phrase.text[..<cut])
            rest.words = Array(
                phrase.words.drop { word in
                    defer { letters -= RepeatedText.letters(word.rawText) }
                    return letters > 0
                })
            rest.start = rest.words.first?.start ?? min(phrase.end, textStart.seconds)
        } else if !phrase.words.isEmpty, let after = phrase.split(at: textStart.seconds).after {
            // Most of its words differ, but it covers the same audio.
            rest = after
        }
        return rest
    }

    /// Makes the guess final if, after a pause, the task's text has been replaced by a different, much shorter one.
    private mutating func keepGuessBefore(_ text: String) -> [RecognizedPhrase] {
        guard !text.isEmpty, text.count * 2 < guess.count, let pause = pauseAfterGuess else { return [] }
        let firstWord = text.trimmingPrefix(while: \.isWhitespace).prefix { !$0.isWhitespace }.lowercased()
        guard !guess.lowercased().trimmingPrefix(while: \.isWhitespace).hasPrefix(firstWord) else { return [] }
        confirmed += " " + guess
        let kept = keepGuess(through: pause)
        textStart = pause
        pauses.removeAll { $0 <= pause }
        return kept
    }

    /// The pause after the guess; if audio arrives faster than it is recognised, the first one since the text began.
    private var pauseAfterGuess: Int? { pauses.first { $0 >= guessEnd } ?? (guessEnd == end ? pauses.first : nil) }
}
