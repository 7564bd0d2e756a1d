import StenoCore

/// A FastConformer model in a `.nemo` file, as NVIDIA publishes them: with a CTC head, a transducer, or both.
struct NeMoFile: FastConformerWeights {
    let source: ModelSource
    let configuration: FastConformerConfiguration
    private let archive: NeMoArchive
    private let weights: TorchCheckpoint

    /// Opens a file.
    ///
    /// - Parameter checkCancellation: Called from time to time while a compressed file is decompressed; an error that it
    ///   throws ends the reading.
    /// - Throws: ``StenoError``: `modelNotFound`; `modelDamaged`; `modelUnsupported` if it is not a FastConformer model,
    ///   naming what was found; for a compressed file also `outputFailed` if the disk is full.
    init(path: String, checkCancellation: () throws -> Void = {}) throws {
        archive = try NeMoArchive(path: path, checkCancellation: checkCancellation)
        weights = try archive.weights()
        configuration = try FastConformerConfiguration(archive, weights)
        let stored = try Self.tensor("encoder.layers.0.feed_forward1.linear1.weight", in: weights)?.format ?? .float32
        source = ModelSource(
            path: path, format: "NeMo archive", storedPrecision: stored.name, byteCount: archive.byteCount)
    }

    func tokenizer(checkCancellation: () throws -> Void) throws -> FastConformerTokenizer {
        try checkCancellation()
        guard let file = archive.file(endingIn: "tokenizer.model") else {
            throw StenoError(
                .modelUnsupported,
                "\(source.path) has no tokenizer.model: its vocabulary is not of SentencePiece, which is not supported. "
                    + "Choose another model.")
        }
        return FastConformerTokenizer(
            pieces: try SentencePieceFile(file.bytes, path: "\(source.path)/\(file.name)").pieces)
    }

    func tensor(_ name: String) throws -> WeightTensor? { try Self.tensor(name, in: weights) }

    private static func tensor(_ name: String, in weights: TorchCheckpoint) throws -> WeightTensor? {
        for stored in NeMoNames.stored(name) {
            if let tensor = try weights.tensor(stored) { return tensor }
        }
        return nil
    }
}
