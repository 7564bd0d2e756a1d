/// Decodes an utterance again and again while it grows: what live transcription needs of a model.
///
/// A decoder has memory of its own for one utterance at a time and belongs to one task at a time; any number of them
/// share one model.
public protocol UtteranceDecoding: AnyObject {
    /// Asked at every token or layer, on the decoding thread; true ends the work with a ``StenoError`` of code
    /// `cancelled`.
    var isCancelled: () -> Bool { get set }

    /// The tokens of a text that comes before the first utterance; empty when the model knows no such prompt.
    func tokens(of text: String) -> [Int]

    /// Decodes an utterance of at most 30 s; what is longer is left out.
    ///
    /// - Parameter samples: 16 kHz, mono, from −1 to 1.
    /// - Throws: ``StenoError``: `cancelled`, `unknownLanguage`, `modelDamaged`.
    func decode(_ samples: [Float], _ request: UtteranceRequest) throws -> UtteranceHypothesis
}

/// What to decode: an utterance as far as it has been heard, and the tokens that are final already.
public struct UtteranceRequest: Sendable, Hashable {
    /// What was said before the utterance; the last of these tokens are the prompt.
    public var context: [Int]
    /// The utterance's first tokens, which the text must begin with.
    public var committed: [Int]
    /// The language's code; nil detects it.
    public var language: String?
    /// Transcribe it or translate it.
    public var task: TranscriptionTask
    /// How many hypotheses beam search keeps at temperature 0; 1 is greedy search.
    public var beamSize: Int
    /// The temperatures tried in turn while the text fails the quality thresholds.
    public var temperatures: [Double]
    /// Words to expect.
    public var hotwords: String?

    /// Asks for the most probable text.
    public init(
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
public struct UtteranceHypothesis: Sendable, Hashable {
    /// The words after the committed tokens, in order; together their tokens are the text's.
    public var words: [UtteranceWord]
    /// The language it was decoded in.
    public var language: LanguageDetection
    /// The temperature it was finally decoded with.
    public var temperature: Double
    /// The mean log probability of the chosen tokens, the end of text included.
    public var averageLogProbability: Double
    /// The whole utterance's text length over its compressed length; above 2.4 it probably repeats itself.
    public var compressionRatio: Double
    /// How probable the model finds it that nobody speaks, from 0 to 1.
    public var noSpeechProbability: Double

    /// Whether the model finds the text implausible: it repeats itself, or is improbable.
    public var isImplausible: Bool
    /// Whether the model takes the utterance for silence, whatever the words say.
    public var isSilence: Bool

    /// Creates a hypothesis.
    public init(
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
public struct UtteranceWord: Sendable, Hashable {
    /// As the model writes it, with the space before it.
    public var text: String
    public var tokens: [Int]
    /// Where the model's attention was when it wrote the word.
    public var start: Double
    public var end: Double
    /// The mean probability of its tokens.
    public var probability: Double

    /// Creates a word.
    public init(text: String, tokens: [Int], start: Double, end: Double, probability: Double = 1) {
        self.text = text
        self.tokens = tokens
        self.start = start
        self.end = end
        self.probability = probability
    }
}
