import Steno
import StenoCompute
import StenoCore

package enum ModelFiles {
    /// The files of a model in CTranslate2 format; vocabularies come in either of two formats.
    package static let cTranslate2 = [
        "model.bin", "config.json", "tokenizer.json", "preprocessor_config.json", "vocabulary.json", "vocabulary.txt",
    ]

    /// The files of a Hugging Face model besides its weights.
    static let huggingFace = [
        "config.json", "generation_config.json", "preprocessor_config.json", "processor_config.json", "tokenizer.json",
        "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json", "normalizer.json", "vocab.json",
        "merges.txt",
    ]

    /// The files of a model in a format; a repository has some of them.
    static func names(of format: CatalogModel.Format) -> [String] {
        switch format {
        case .cTranslate2: cTranslate2
        case .huggingFace: ["model.safetensors"] + huggingFace
        }
    }

    /// Chooses a model's files from those of its repository.
    ///
    /// - Parameter file: The model's file, if each file of the repository is a model.
    /// - Throws: `downloadFailed`, with a list of the repository's files.
    package static func chosen(from names: [String], file: String?, repository: String) throws -> [String] {
        if let file {
            guard names.contains(file) else {
                let others = names.filter(isModelFile)
                throw StenoError(
                    .downloadFailed,
                    "The repository \(repository) has no file \(file)."
                        + (others.isEmpty ? "" : " It has \(others.joined(separator: ", ")).")
                )
            }
            return [file]
        }
        if names.contains("model.bin"), names.contains("config.json") { return cTranslate2.filter(names.contains) }
        let weights = weights(names)
        if !weights.isEmpty { return weights + huggingFace.filter(names.contains) }
        let files = names.filter(isModelFile)
        guard files.isEmpty else {
            throw StenoError(
                .downloadFailed,
                "The repository \(repository) has one model per file. Name one, such as \(repository)/\(files[0]).")
        }
        throw StenoError(
            .downloadFailed,
            "The repository \(repository) has no model that Steno can read: neither model.bin with config.json "
                + "(CTranslate2), nor model.safetensors (Hugging Face), nor ggml-*.bin (whisper.cpp).")
    }

    /// The weights of a Hugging Face model: one file, or parts with their index.
    private static func weights(_ names: [String]) -> [String] {
        if names.contains("model.safetensors") { return ["model.safetensors"] }
        let index = "model.safetensors.index.json"
        guard names.contains(index) else { return [] }
        return [index] + names.filter { $0.hasPrefix("model-") && $0.hasSuffix(".safetensors") }.sorted()
    }

    /// Names in the order in which files are moved into a folder: the file that makes the folder a model comes last, so
    /// that a partial model is never found.
    static func weightsLast(_ names: [String]) -> [String] {
        let weights = ["model.bin"] + ModelFormat.huggingFaceWeights
        return names.filter { !weights.contains($0) } + names.filter(weights.contains)
    }

    private static func isModelFile(_ name: String) -> Bool { ModelNames.isGGML(name) && !name.contains("/") }
}
