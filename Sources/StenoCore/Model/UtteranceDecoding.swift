/// Decodes an utterance repeatedly while it grows: a model's interface for live transcription.
///
/// A decoder has memory for one utterance at a time and belongs to one task at a time; any number of decoders can share
/// one model.
package protocol UtteranceDecoding: AnyObject {
    /// Called at every token or layer, on the decoding thread; returning true ends the work with a ``StenoError`` of
    /// code `cancelled`.
    var isCancelled: () -> Bool { get set }

    /// The tokens of a text that precedes the first utterance; empty if the model has no such prompt.
    func tokens(of text: String) -> [Int]

    /// Decodes an utterance of at most 30 s; any audio beyond that is ignored.
    ///
    /// - Parameter samples: 16 kHz, mono, from −1 to 1.
    /// - Throws: ``StenoError``: `cancelled`, `unknownLanguage`, `modelDamaged`.
    func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis
}

/// The decoding of an utterance as far as it has been heard.
package struct UtteranceRequest: Sendable, Hashable {
    /// The tokens before the utterance; the last of them are the prompt.
    package var context: [Int]
    /// The tokens that are expected, such as those of the previous hypothesis.
    ///
    /// They change how soon a text is found and never which: greedy search verifies them together and continues at the
    /// first difference, and the result is the same as without them. Tokens that are wrong, too many or no text cost a
    /// little time. Beam search and temperatures above 0 ignore them.
    package var draft: [Int]
    /// The language's code; nil detects it.
    package var language: String?
    /// Whether to transcribe or to translate.
    package var task: TranscriptionTask
    /// The number of hypotheses in beam search at temperature 0; 1 is greedy search.
    package var beamSize: Int
    /// The temperatures tried in turn while the text fails the quality thresholds.
    package var temperatures: [Double]
    /// Words to expect.
    package var hotwords: String?
    /// The least audio to encode, from 0 to 30 seconds; nil is what the model needs for correct text.
    ///
    /// What a shorter utterance lacks is silence; Whisper needs ten seconds. Encoding takes most of a decoding's time, and
    /// a partial hypothesis may do with less: live text of Whisper base was as correct and as steady with eight seconds,
    /// and with fewer it changed more often (`Documentation/SpeedDetails.md`).
    package var minimumEncodedSeconds: Double?

    /// Creates a request for the most probable text.
    package init(
        context: [Int] = [], draft: [Int] = [], language: String? = nil,
        task: TranscriptionTask = .transcribe, beamSize: Int = 1, temperatures: [Double] = [0], hotwords: String? = nil,
        minimumEncodedSeconds: Double? = nil
    ) {
        self.context = context
        self.draft = draft
        self.language = language
        self.task = task
        self.beamSize = beamSize
        self.temperatures = temperatures
        self.hotwords = hotwords
        self.minimumEncodedSeconds = minimumEncodedSeconds
    }
}

/// The model's hypothesis for an utterance.
package struct UtteranceHypothesis: Sendable, Hashable {
    /// The words in order; their tokens together are those of the text.
    package var words: [UtteranceWord]
    /// The language it was decoded in.
    package var language: LanguageDetection
    /// The temperature of the decoding that was accepted.
    package var temperature: Double
    /// The mean log probability of the chosen tokens, the end of text included.
    package var averageLogProbability: Double
    /// The length of the whole utterance's text over its compressed length; above 2.4 it probably repeats itself.
    package var compressionRatio: Double
    /// The probability of no speech, from 0 to 1.
    package var noSpeechProbability: Double

    /// Whether the text fails the quality thresholds: it repeats itself or is improbable.
    package var isImplausible: Bool
    /// Whether the utterance is silence, whatever the words are.
    package var isSilence: Bool

    /// Creates a hypothesis.
    package init(
        words: [UtteranceWord], language: LanguageDetection, temperature: Double = 0,
        averageLogProbability: Double = 0, compressionRatio: Double = 1, noSpeechProbability: Double = 0,
        isImplausible: Bool = false, isSilence: Bool = false
    ) {
        self.words = words
        self.language = language
        self.temperature = temperature
        self.averageLogProbability = averageLogProbability
        self.compressionRatio = compressionRatio
        self.noSpeechProbability = noSpeechProbability
        self.isImplausible = isImplausible
        self.isSilence = isSilence
    }
}

/// A word of a hypothesis; times are seconds from the start of the utterance's audio.
package struct UtteranceWord: Sendable, Hashable {
    /// The text as the model writes it, with the preceding space.
    package var text: String
    /// The ids of its tokens.
    package var tokens: [Int]
    /// Where the model attended when it wrote the word.
    package var start: Double
    /// The end of the word, by the same attention.
    package var end: Double
    /// The mean probability of its tokens.
    package var probability: Double
    /// The probability of the whole word, given the text before it and the context: the product over its tokens.
    ///
    /// It says better than ``probability`` whether the word will stay when more has been heard (Documentation/Live.md).
    package var certainty: Double
    /// The share of the search's texts that have the word, each weighted by its probability; 1 if there is one text.
    package var support: Double

    /// Creates a word.
    package init(
        text: String, tokens: [Int], start: Double, end: Double, probability: Double = 1, certainty: Double? = nil,
        support: Double = 1
    ) {
        self.text = text
        self.tokens = tokens
        self.start = start
        self.end = end
        self.probability = probability
        self.certainty = certainty ?? probability
        self.support = support
    }
}
