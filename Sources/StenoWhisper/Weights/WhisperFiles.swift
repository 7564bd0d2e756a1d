import Foundation
import StenoCompute
import StenoCore

protocol WhisperFiles: ModelPackage {
    /// The configuration that cannot be derived from the tensors' shapes.
    var configuration: WhisperConfiguration { get }

    /// Whether the vocabulary lists special tokens under their names, such as `<|endoftext|>`; if not, their ids follow
    /// from the number of rows of the embedding.
    var namesSpecialTokens: Bool { get }
}

extension WhisperFiles {
    var normEpsilon: Float { configuration.normEpsilon }

    /// The tokenizer; every id the decoder can be given must be a row of the embedding.
    func tokenizer(fits shape: ModelShape, checkCancellation: () throws -> Void) throws -> Tokenizer {
        let vocabulary = try vocabulary(checkCancellation: checkCancellation)
        let path = source.path
        let mismatch = StenoError(
            .modelDamaged,
            "The vocabulary does not belong to \(path), which has \(shape.vocabularySize) tokens. Download the model "
                + "again."
        )
        guard vocabulary.count <= shape.vocabularySize else { throw mismatch }
        let special =
            try namesSpecialTokens
            ? SpecialTokens(vocabulary: vocabulary) : SpecialTokens(vocabularySize: shape.vocabularySize)
        let largest = max(special.timestampBegin, special.languages.map(\.id).max() ?? 0)
        let named = configuration.suppressedTokens + configuration.suppressedAtBegin
        try ensure(
            largest < shape.vocabularySize && named.allSatisfy({ (0..<shape.vocabularySize).contains($0) }),
            or: mismatch)
        try ensure(
            !special.isMultilingual || !special.languages.isEmpty, or: .modelUnsupported,
            "The vocabulary of \(path) has no language tokens. Choose another Whisper model.")
        return try Tokenizer(vocabulary: vocabulary, specialTokens: special)
    }
}

extension ModelFormat {
    /// The formats of Whisper models, worded for a sentence.
    package static let whisperFormats =
        "a CTranslate2 folder (model.bin, config.json, vocabulary.json), such as Systran/faster-whisper-base; a "
        + "Hugging Face folder (model.safetensors, config.json, tokenizer.json), such as openai/whisper-base; or a "
        + "ggml-*.bin of whisper.cpp"

    /// Opens a Whisper model in any supported format.
    ///
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
                + "\(whisperFormats).")
    }
}

/// The properties of a Whisper model that do not follow from the tensors' shapes.
struct WhisperConfiguration: Sendable, Hashable {
    /// The number of attention heads per encoder layer; nil if the files do not specify it.
    var encoderHeads: Int?
    /// The number of attention heads per decoder layer; nil if the files do not specify it.
    var decoderHeads: Int?
    /// The number of mel bands; nil if the files do not specify it.
    var melCount: Int?
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

/// The alignment heads of OpenAI's models, for files that do not list them.
///
/// The heads are those of openai-whisper (`whisper/__init__.py`, MIT), found by OpenAI as the cross-attention heads that
/// follow the audio most closely.
enum KnownAlignmentHeads {
    /// The heads of the published model with these dimensions; nil if there is none, as for distilled models.
    ///
    /// - Parameter name: The file's name, which distinguishes the first large model from the second.
    static func find(
        vocabularySize: Int, encoderLayers: Int, decoderLayers: Int, heads: Int, name: String
    ) -> [AlignmentHead]? {
        let language = vocabularySize == 51_864 ? ".en" : ""
        let model: String? =
            switch (encoderLayers, decoderLayers, heads, vocabularySize) {
            case (4, 4, 6, ...51_865): "tiny" + language
            case (6, 6, 8, ...51_865): "base" + language
            case (12, 12, 12, ...51_865): "small" + language
            case (24, 24, 16, ...51_865): "medium" + language
            case (32, 32, 20, 51_865): name.contains("large-v1") ? "large-v1" : "large-v2"
            case (32, 32, 20, 51_866): "large-v3"
            case (32, 4, 20, 51_866): "large-v3-turbo"
            default: nil
            }
        return model.flatMap { table[$0] }?.map { AlignmentHead(layer: $0.0, head: $0.1) }
    }

    private static let table: [String: [(Int, Int)]] = [
        "tiny.en": [(1, 0), (2, 0), (2, 5), (3, 0), (3, 1), (3, 2), (3, 3), (3, 4)],
        "tiny": [(2, 2), (3, 0), (3, 2), (3, 3), (3, 4), (3, 5)],
        "base.en": [(3, 3), (4, 7), (5, 1), (5, 5), (5, 7)],
        "base": [(3, 1), (4, 2), (4, 3), (4, 7), (5, 1), (5, 2), (5, 4), (5, 6)],
        "small.en": [
            (6, 6), (7, 0), (7, 3), (7, 8), (8, 2), (8, 5), (8, 7), (9, 0), (9, 4), (9, 8), (9, 10), (10, 0), (10, 1),
            (10, 2), (10, 3), (10, 6), (10, 11), (11, 2), (11, 4),
        ],
        "small": [(5, 3), (5, 9), (8, 0), (8, 4), (8, 7), (8, 8), (9, 0), (9, 7), (9, 9), (10, 5)],
        "medium.en": [
            (11, 4), (14, 1), (14, 12), (14, 14), (15, 4), (16, 0), (16, 4), (16, 9), (17, 12), (17, 14), (18, 7),
            (18, 10), (18, 15), (20, 0), (20, 3), (20, 9), (20, 14), (21, 12),
        ],
        "medium": [(13, 15), (15, 4), (15, 15), (16, 1), (20, 0), (23, 4)],
        "large-v1": [(9, 19), (11, 2), (11, 4), (11, 17), (22, 7), (22, 11), (22, 17), (23, 2), (23, 15)],
        "large-v2": [
            (10, 12), (13, 17), (16, 11), (16, 12), (16, 13), (17, 15), (17, 16), (18, 4), (18, 11), (18, 19), (19, 11),
            (21, 2), (21, 3), (22, 3), (22, 9), (22, 12), (23, 5), (23, 7), (23, 13), (25, 5), (26, 1), (26, 12),
            (27, 15),
        ],
        "large-v3": [
            (7, 0), (10, 17), (12, 18), (13, 12), (16, 1), (17, 14), (19, 11), (21, 4), (24, 1), (25, 6),
        ],
        "large-v3-turbo": [(2, 4), (2, 11), (3, 3), (3, 6), (3, 11), (3, 14)],
    ]
}
