/// Decodes an utterance repeatedly while it grows: the interface of models that hear audio as a whole.
///
/// A decoder has memory for one utterance at a time and belongs to one task at a time; any number of decoders can share
/// one model.
package protocol UtteranceDecoding: AnyObject {
    /// Called at every token or layer, on the decoding thread; returning true ends the work with a ``StenoError`` of
    /// code `cancelled`.
    var isCancelled: () -> Bool { get set }

    /// Whether a thorough decoding finds what a quick one does, because the model has no search; both then cost the same.
    var searchesAlike: Bool { get }

    /// Decodes an utterance of at most 30 s; any audio beyond that is ignored.
    ///
    /// - Parameter samples: 16 kHz, mono, from −1 to 1.
    /// - Throws: ``StenoError``: `cancelled`, `unknownLanguage`, `modelDamaged`.
    func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis
}

package struct UtteranceRequest: Sendable, Hashable {
    /// How much a decoding may cost.
    package enum Effort: Sendable, Hashable {
        /// A preliminary text, which the next decoding soon replaces.
        case quick
        /// A text that decides which words are final.
        case thorough
        /// The last text of the utterance: thorough, and tried again while it fails the model's quality thresholds.
        case last
    }

    /// The language (detected if nil), the task and the expected words.
    package var settings: SpeechSettings
    package var effort: Effort
    package var context: [TextPiece]
    /// The expected text, such as that of the previous hypothesis.
    ///
    /// It only speeds up decoding and never changes the result. A wrong draft costs a little time.
    package var draft: [TextPiece]

    package init(
        _ settings: SpeechSettings = SpeechSettings(), effort: Effort = .quick, context: [TextPiece] = [],
        draft: [TextPiece] = []
    ) {
        (self.settings, self.effort, self.context, self.draft) = (settings, effort, context, draft)
    }
}

/// A piece of text before or in an utterance, as a model knows it.
package struct TextPiece: Sendable, Hashable {
    /// The text, including its space.
    package var text: String
    /// The model's own representation of text that it wrote, such as token ids; empty for other text.
    package var handle: [Int]

    package init(_ text: String, handle: [Int] = []) { (self.text, self.handle) = (text, handle) }
}

package struct UtteranceHypothesis: Sendable, Hashable {
    package var words: [UtteranceWord]
    /// The number of words at the start that can never change; 0 for repeated decoding.
    package var finalCount: Int
    package var language: LanguageDetection
    /// Whether the text fails the model's quality thresholds: it repeats itself or is improbable.
    package var isImplausible: Bool
    /// Whether the utterance is silence, whatever the words are.
    package var isSilence: Bool
    /// Whether the text was sampled because nothing better was found: it must not be used as context.
    package var isSampled: Bool
    /// Whether the text takes more than half of the model's room for an utterance's text.
    package var isLong: Bool
    /// Whisper's measures of the text; nil from other models.
    package var whisper: WhisperSegmentDetails?

    package init(
        words: [UtteranceWord], finalCount: Int = 0, language: LanguageDetection, isImplausible: Bool = false,
        isSilence: Bool = false, isSampled: Bool = false, isLong: Bool = false, whisper: WhisperSegmentDetails? = nil
    ) {
        (self.words, self.finalCount, self.language, self.isImplausible) = (words, finalCount, language, isImplausible)
        (self.isSilence, self.isSampled, self.isLong, self.whisper) = (isSilence, isSampled, isLong, whisper)
    }
}

/// A word of a hypothesis; times are seconds from the start of the utterance's audio.
package struct UtteranceWord: Sendable, Hashable {
    /// The text as the model writes it, with the preceding space.
    package var text: String
    /// The model's own representation of the word, such as its token ids; only the model reads it.
    package var handle: [Int]
    /// The start of the word, by the model's attention.
    package var start: Double
    /// The end of the word, by the model's attention.
    package var end: Double
    /// The mean probability of its tokens.
    package var probability: Double
    /// The probability of the whole word, given the text before it and the context: the product over its tokens.
    ///
    /// It predicts better than ``probability`` whether the word will stay as more audio arrives
    /// (`Documentation/Project/LivePolicy.md`).
    package var certainty: Double
    /// The share of the search's texts that contain the word, weighted by probability; 1 if there is only one text.
    package var support: Double

    package init(
        text: String, handle: [Int] = [], start: Double, end: Double, probability: Double = 1,
        certainty: Double? = nil, support: Double = 1
    ) {
        (self.text, self.handle, self.start, self.end, self.probability) = (text, handle, start, end, probability)
        self.certainty = certainty ?? probability
        self.support = support
    }
}
