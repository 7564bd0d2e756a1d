import StenoCore

/// A Parakeet or Nemotron model in a GGUF file, as transcribe.cpp's `convert-parakeet.py` and quantiser write it: with a
/// CTC head or a transducer.
///
/// The tensors have the shapes of NeMo's, and the LSTM has one bias instead of two.
struct TranscribeCppFile: FastConformerWeights {
    let source: ModelSource
    let configuration: FastConformerConfiguration
    private let file: GGUFFile

    private static let mostTokens = 1_000_000

    /// Opens a file and reads everything but the tensors' values.
    ///
    /// - Throws: ``StenoError``: `modelNotFound`; `modelDamaged`; `modelUnsupported` if it is not a FastConformer model,
    ///   naming what was found.
    init(path: String) throws {
        file = try GGUFFile(path: path)
        configuration = try FastConformerConfiguration(file)
        let stored = try Self.tensor("encoder.layers.0.feed_forward1.linear1.weight", in: file)?.format ?? .float32
        source = ModelSource(
            path: path, format: "GGUF (transcribe.cpp)", storedPrecision: stored.name, byteCount: file.byteCount)
    }

    /// Reads the pieces before blank: texts, and types that are those of SentencePiece.
    func tokenizer(checkCancellation: () throws -> Void) throws -> FastConformerTokenizer {
        try checkCancellation()
        let list = "tokenizer.ggml.tokens", count = configuration.vocabularySize
        guard let tokens = file.texts(list, limit: Self.mostTokens), tokens.count >= count else {
            throw file.damaged("its list of tokens (\(list)) is missing or too short")
        }
        let types = file.integers("tokenizer.ggml.token_type", limit: Self.mostTokens) ?? []
        return FastConformerTokenizer(
            pieces: tokens.prefix(count).enumerated().map { id, text in
                FastConformerTokenizer.Piece(
                    text, isSpecial: types.indices.contains(id) && SentencePieceFile.isSpecial(type: types[id]))
            })
    }

    func tensor(_ name: String) throws -> WeightTensor? { try Self.tensor(name, in: file) }

    private static func tensor(_ name: String, in file: GGUFFile) throws -> WeightTensor? {
        try TranscribeCppNames.stored(name).flatMap { try file.tensor($0) }
    }
}
