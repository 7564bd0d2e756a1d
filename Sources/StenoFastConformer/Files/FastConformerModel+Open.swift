package import Foundation
package import StenoCore

extension FastConformerModel {
    /// Loads a model in any supported format.
    ///
    /// - Parameters:
    ///   - url: A Hugging Face folder (with `ternary.json`, of ternary weights), or a `.nemo` file, a `ggml-*.bin` of
    ///     whisper.cpp or a `.gguf` of transcribe.cpp, or the folder with one.
    ///   - precision: The precision to compute in; ``Precision/automatic`` chooses int8.
    ///   - threads: The number of threads per transcription; nil uses all of the machine's cores.
    ///   - isCancelled: Called before every tensor, and while a file is decompressed; returning true cancels the loading.
    /// - Throws: ``StenoError`` when a file is missing, damaged, or not a FastConformer model's; `cancelled`.
    package static func open(
        _ url: URL, precision: Precision = .automatic, threads: Int? = nil,
        isCancelled: @escaping () -> Bool = { false }
    ) throws -> FastConformerModel {
        let weights = try weights(at: url) {
            guard !isCancelled() else { throw StenoError(.cancelled, "Loading the model was cancelled.") }
        }
        return try load(weights: weights, precision: precision, threads: threads, isCancelled: isCancelled)
    }

    private static func weights(
        at url: URL, checkCancellation: () throws -> Void
    ) throws -> any FastConformerWeights {
        switch try ModelFormat.detect(at: url) {
        case .huggingFace(let folder): return try HuggingFaceFolder(folder: folder)
        case .nemo(let file): return try NeMoFile(path: file.path, checkCancellation: checkCancellation)
        case .ggml(let file): return try GGMLFile(path: file.path)
        case .gguf(let file): return try TranscribeCppFile(path: file.path)
        case .cTranslate2, .safetensors, .pyTorch:
            throw StenoError(
                .modelUnsupported,
                "\(url.path) is not in a format of FastConformer models. Use the model as \(formats).")
        }
    }

    /// The formats of FastConformer models, worded for a sentence.
    package static let formats =
        "a Hugging Face folder (model.safetensors, config.json, tokenizer.json) of a Parakeet or Nemotron model, a "
        + ".nemo file of NVIDIA's NeMo, a ggml-parakeet-*.bin of whisper.cpp, or a .gguf of transcribe.cpp"

    /// The families and classes that the files of FastConformer models name, as in ``ModelIdentity/family``.
    package static let identifiers =
        FastConformerConfigurationFile.families.sorted() + FastConformerConfiguration.classes
        + ["parakeet", "nemo", "gguf"]
}
