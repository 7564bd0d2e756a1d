/// What to decode: an utterance as far as it has been heard, and the tokens that stand already.
package struct UtteranceRequest: Sendable, Hashable {
    /// What was said before the utterance; the last of these tokens are the prompt.
    package var context: [Int]
    /// The utterance's first tokens, which the text must begin with.
    package var committed: [Int]
    /// The language's code; nil detects it.
    package var language: String?
    /// Write it down or translate it.
    package var task: TranscriptionTask
    /// How many hypotheses beam search keeps at temperature 0; 1 is greedy search.
    package var beamSize: Int
    /// The temperatures tried in turn while the text looks bad.
    package var temperatures: [Double]
    /// Words to expect.
    package var hotwords: String?

    /// Asks for the most probable text.
    package init(
        context: [Int] = [], committed: [Int] = [], language: String? = nil, task: TranscriptionTask = .transcribe,
        beamSize: Int = 1, temperatures: [Double] = [0], hotwords: String? = nil
    ) {
        self.context = context
        self.committed = committed
        self.language = language
        self.task = task
        self.beamSize = beamSize
        self.temperatures = temperatures
        self.hotwords = hotwords
    }
}

/// What the model takes an utterance for.
package struct UtteranceHypothesis: Sendable, Hashable {
    /// The words after the committed tokens, in order; together their tokens are the text's.
    package var words: [UtteranceWord]
    /// The language it was decoded in.
    package var language: LanguageDetection
    /// The temperature it was finally decoded with.
    package var temperature: Double
    /// The mean log probability of the chosen tokens, the end of text included.
    package var averageLogProbability: Double
    /// The whole utterance's text length over its compressed length; above 2.4 it probably repeats itself.
    package var compressionRatio: Double
    /// How probable the model finds it that nobody speaks, from 0 to 1.
    package var noSpeechProbability: Double

    /// Creates a hypothesis.
    package init(
        words: [UtteranceWord], language: LanguageDetection, temperature: Double = 0,
        averageLogProbability: Double = 0, compressionRatio: Double = 1, noSpeechProbability: Double = 0
    ) {
        self.words = words
        self.language = language
        self.temperature = temperature
        self.averageLogProbability = averageLogProbability
        self.compressionRatio = compressionRatio
        self.noSpeechProbability = noSpeechProbability
    }
}

/// A word of a hypothesis; times are seconds from the start of the utterance's sound.
package struct UtteranceWord: Sendable, Hashable {
    /// As the model writes it, with the space before it.
    package var text: String
    package var tokens: [Int]
    /// Where the model's attention was when it wrote the word.
    package var start: Double
    package var end: Double
    /// The mean probability of its tokens.
    package var probability: Double

    /// Creates a word.
    package init(text: String, tokens: [Int], start: Double, end: Double, probability: Double = 1) {
        self.text = text
        self.tokens = tokens
        self.start = start
        self.end = end
        self.probability = probability
    }
}
