import Steno
import StenoWhisper

/// The part of a ``WhisperKit`` that encodes audio; pass it on.
public protocol AudioEncoding: Sendable {}

/// The part of a ``WhisperKit`` that computes the log-mel spectrogram; pass it on.
public protocol FeatureExtracting: Sendable {}

/// The part of a ``WhisperKit`` that divides text into segments; pass it on.
public protocol SegmentSeeking: Sendable {}

/// The part of a ``WhisperKit`` that decodes text; pass it on.
public protocol TextDecoding: Sendable {}

/// The part of a ``WhisperKit`` that converts text to tokens and back.
public protocol WhisperTokenizer: Sendable {
    /// The special tokens.
    var specialTokens: SpecialTokens { get }

    /// The tokens of a text; special tokens spelled out in it count as text.
    func encode(text: String) -> [Int]

    /// The text of tokens; special tokens have none.
    func decode(tokens: [Int]) -> String
}

/// The ids of a Whisper model's special tokens.
public struct SpecialTokens: Sendable, Hashable {
    /// The end of a window's text.
    public let endToken: Int
    /// The language English.
    public let englishToken: Int
    /// No speech.
    public let noSpeechToken: Int
    /// No timestamps.
    public let noTimestampsToken: Int
    /// The first special token; lower ids are text.
    public let specialTokenBegin: Int
    /// Introduces the text before the audio.
    public let startOfPreviousToken: Int
    /// The start of every transcript.
    public let startOfTranscriptToken: Int
    /// The start of the window; each following id is 0.02 s later.
    public let timeTokenBegin: Int
    /// The task of transcribing.
    public let transcribeToken: Int
    /// The task of translating into English.
    public let translateToken: Int
    /// A space, which is text.
    public let whitespaceToken: Int

    /// Creates special tokens, for your own tokenizer.
    public init(
        endToken: Int, englishToken: Int, noSpeechToken: Int, noTimestampsToken: Int, specialTokenBegin: Int,
        startOfPreviousToken: Int, startOfTranscriptToken: Int, timeTokenBegin: Int, transcribeToken: Int,
        translateToken: Int, whitespaceToken: Int
    ) {
        (self.endToken, self.englishToken, self.noSpeechToken) = (endToken, englishToken, noSpeechToken)
        (self.noTimestampsToken, self.specialTokenBegin) = (noTimestampsToken, specialTokenBegin)
        (self.startOfPreviousToken, self.startOfTranscriptToken) = (startOfPreviousToken, startOfTranscriptToken)
        (self.timeTokenBegin, self.transcribeToken) = (timeTokenBegin, transcribeToken)
        (self.translateToken, self.whitespaceToken) = (translateToken, whitespaceToken)
    }
}

/// The value of a ``WhisperKit``'s parts: Steno's model is a unit that all of them belong to.
struct ModelComponent: AudioEncoding, FeatureExtracting, SegmentSeeking, TextDecoding {
    let model: ModelSlot

    /// The model to which all of these parts belong.
    ///
    /// - Throws: ``WhisperError/initializationError(_:)`` if a part is not Steno's, or if they belong to different
    ///   models.
    static func model(of components: [any Sendable]) throws -> ModelSlot {
        let found = components.compactMap { ($0 as? ModelComponent)?.model }
        guard let first = found.first, found.count == components.count, found.allSatisfy({ $0 === first }) else {
            throw WhisperError.initializationError(
                "The components belong to different models. Pass the components of one WhisperKit: "
                    + "whisperKit.audioEncoder, whisperKit.featureExtractor, whisperKit.segmentSeeker, "
                    + "whisperKit.textDecoder.")
        }
        return first
    }
}

struct ModelTokenizer: WhisperTokenizer {
    let specialTokens: SpecialTokens
    private let tokenizer: Tokenizer

    /// Creates the tokenizer of a model; nil for a model of another family.
    init?(_ model: any SpeechModel) {
        guard let whisper = model as? WhisperModel else { return nil }
        tokenizer = whisper.tokenizer
        specialTokens = SpecialTokens(tokenizer)
    }

    func encode(text: String) -> [Int] { tokenizer.encode(text) }

    func decode(tokens: [Int]) -> String { tokenizer.decode(tokens) }
}

extension SpecialTokens {
    fileprivate init(_ tokenizer: Tokenizer) {
        let tokens = tokenizer.specialTokens
        self.init(
            endToken: tokens.endOfText,
            // English-only models have such a token too, right after the start, but it is not listed.
            englishToken: tokens.languageToken(code: "en") ?? tokens.startOfTranscript + 1,
            noSpeechToken: tokens.noSpeech, noTimestampsToken: tokens.noTimestamps, specialTokenBegin: tokens.endOfText,
            startOfPreviousToken: tokens.startOfPrevious, startOfTranscriptToken: tokens.startOfTranscript,
            timeTokenBegin: tokens.timestampBegin, transcribeToken: tokens.transcribe, translateToken: tokens.translate,
            whitespaceToken: tokenizer.encode(" ").first ?? 0)
    }
}
