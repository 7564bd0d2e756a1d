import Steno
import StenoWhisper

/// The part of a ``WhisperKit`` that encodes audio; it is passed along.
public protocol AudioEncoding: Sendable {}

/// The part of a ``WhisperKit`` that computes the log-mel spectrogram; it is passed along.
public protocol FeatureExtracting: Sendable {}

/// The part of a ``WhisperKit`` that divides text into segments; it is passed along.
public protocol SegmentSeeking: Sendable {}

/// The part of a ``WhisperKit`` that decodes text; it is passed along.
public protocol TextDecoding: Sendable {}

/// The part of a ``WhisperKit`` that converts text to tokens and back.
public protocol WhisperTokenizer: Sendable {
    /// The tokens of a text; special tokens spelled out in it count as text.
    func encode(text: String) -> [Int]

    /// The text of tokens; special tokens have none.
    func decode(tokens: [Int]) -> String
}

/// What a ``WhisperKit`` hands out for its parts: Steno's model is one thing, of which all of them are.
struct ModelComponent: AudioEncoding, FeatureExtracting, SegmentSeeking, TextDecoding {
    let model: ModelSlot

    /// The model of which all of these are parts.
    ///
    /// - Throws: ``WhisperError/initializationError(_:)`` when one is not ours, or they are parts of several.
    static func model(of components: [any Sendable]) throws -> ModelSlot {
        let found = components.compactMap { ($0 as? ModelComponent)?.model }
        guard let first = found.first, found.count == components.count, found.allSatisfy({ $0 === first }) else {
            throw WhisperError.initializationError(
                "The components do not belong together. Pass those of one WhisperKit: whisperKit.audioEncoder, "
                    + "whisperKit.featureExtractor, whisperKit.segmentSeeker, whisperKit.textDecoder.")
        }
        return first
    }
}

/// The tokenizer of a Whisper model.
struct ModelTokenizer: WhisperTokenizer {
    private let tokenizer: Tokenizer

    /// Creates the tokenizer of a model; nil for a model of another family.
    init?(_ model: any SpeechModel) {
        guard let whisper = model as? WhisperModel else { return nil }
        tokenizer = whisper.tokenizer
    }

    func encode(text: String) -> [Int] { tokenizer.encode(text) }

    func decode(tokens: [Int]) -> String { tokenizer.decode(tokens) }
}
