package import StenoCore

/// Recognises utterances, one at a time: the model, or a script in tests.
///
/// It belongs to one task at a time.
package protocol UtteranceRecognizer: AnyObject {
    /// Called at every token or layer, on the calling thread; returning true ends the work with a ``StenoError`` of code
    /// `cancelled`.
    var isCancelled: () -> Bool { get set }

    /// Recognises the text of an utterance.
    ///
    /// - Parameters:
    ///   - samples: 16 kHz, mono, finite samples from −1 to 1; too few of them have no text.
    ///   - draft: The tokens of the expected text. They only save time and never change the result.
    /// - Throws: ``StenoError``: `cancelled`, `outOfMemory`.
    func recognize(_ samples: [Float], draft: [Int]) throws -> RecognizedText
}

package struct RecognizedText: Sendable, Hashable {
    /// The words in order, with times from the utterance's first sample; their tokens are their handles.
    package var words: [UtteranceWord]
    /// Whether the model ended the text itself; if not, the limit on its length did.
    package var isComplete: Bool
    /// The mean natural-log probability of the tokens, the end of the text included if there is one; 0 without tokens.
    package var meanLogProbability: Double

    package init(words: [UtteranceWord] = [], isComplete: Bool = true, meanLogProbability: Double = 0) {
        (self.words, self.isComplete, self.meanLogProbability) = (words, isComplete, meanLogProbability)
    }

    var tokens: [Int] { words.flatMap(\.handle) }

    /// Whether it is a text for audio without speech.
    ///
    /// For silence, steady noise and hum the model writes “You”, without a point; said as a word of its own, “You.” has
    /// one. For very quiet noise it writes notes or bytes that are not text.
    var isSilence: Bool {
        let text = words.map(\.text).joined().trimmingWhitespace
        return text == "You"
            || !text.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// Whether the text repeats itself endlessly, or was cut off because it seemed to.
    ///
    /// The model has no other measure of its own errors: unlike Whisper it does not estimate whether there is speech, and
    /// wrong texts are hardly less probable than right ones.
    var isImplausible: Bool { !isComplete || hasLoop }

    private var hasLoop: Bool {
        var guards = TextGuard(GuardOptions())
        let words = words.map { Word(rawText: $0.text, start: $0.start, end: $0.end, probability: $0.probability) }
        return !guards.check([words], speech: nil).removed.isEmpty
    }
}
