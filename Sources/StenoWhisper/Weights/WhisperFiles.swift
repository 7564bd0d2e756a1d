import Foundation
import StenoCompute
import StenoCore

/// A Whisper model in any file format.
protocol WhisperFiles: ModelPackage {
    /// The configuration that cannot be derived from the tensors' shapes.
    var configuration: WhisperConfiguration { get }

    /// Whether the vocabulary lists special tokens under their names, such as `<|endoftext|>`; if not, their ids follow
    /// from the number of rows of the embedding.
    var namesSpecialTokens: Bool { get }
}

extension WhisperFiles {
    var normEpsilon: Float { configuration.normEpsilon }
}

extension ModelFormat {
    /// Opens a Whisper model in any supported format.
    ///
    /// - Parameter url: The model's folder, or its file.
    /// - Throws: ``StenoError``: `modelNotFound`, `modelDamaged`, or `modelUnsupported`, naming the format that was
    ///   found.
    static func openWhisper(at url: URL) throws -> any WhisperFiles {
        switch try detect(at: url) {
        case .cTranslate2(let folder): try CTranslate2Package(folder: folder)
        case .huggingFace(let folder): try HuggingFacePackage(folder: folder)
        case .ggml(let file): try GGMLPackage(file: file)
        case .safetensors(let file):
            throw unsupported(file, "a safetensors file without the other files of a Hugging Face model")
        case .other(let file, let kind): throw unsupported(file, kind)
        }
    }

    private static func unsupported(_ file: URL, _ format: String) -> StenoError {
        StenoError(
            .modelUnsupported,
            "\(file.path) is \(format), which is not supported. Use the model in one of these formats: "
                + "\(WhisperModel.formats).")
    }
}

extension WhisperModel {
    /// The formats of Whisper models, worded for a sentence.
    package static let formats =
        "a CTranslate2 folder (model.bin, config.json, vocabulary.json), such as Systran/faster-whisper-base; a "
        + "Hugging Face folder (model.safetensors, config.json, tokenizer.json), such as openai/whisper-base; or a "
        + "ggml-*.bin of whisper.cpp"
}

/// The properties of a Whisper model that do not follow from the tensors' shapes.
struct WhisperConfiguration: Sendable, Hashable {
    /// The number of attention heads per encoder layer; nil if the files do not specify it.
    var encoderHeads: Int?
    /// The number of attention heads per decoder layer; nil if the files do not specify it.
    var decoderHeads: Int?
    /// The number of mel bands; nil if the files do not specify it.
    var melCount: Int?
    /// The epsilon of the layer norms.
    var normEpsilon: Float = 1e-5
    /// The tokens suppressed by default; empty if the files list none.
    var suppressedTokens: [Int] = []
    /// The tokens suppressed at the start of a text; empty if the files list none.
    var suppressedAtBegin: [Int] = []
    /// The cross-attention heads used for alignment; nil if the files list none.
    var alignmentHeads: [AlignmentHead]?
}

/// The relevant part of `preprocessor_config.json`, which both CTranslate2 and Hugging Face folders have.
struct PreprocessorFile: Decodable {
    static let name = "preprocessor_config.json"

    /// The number of mel bands.
    var feature_size: Int?

    /// The number of mel bands in a folder's file; nil if it does not give one.
    static func melCount(in folder: URL) throws -> Int? {
        try ModelJSON.read(Self.self, name, in: folder)?.feature_size
    }
}
