import Foundation
import StenoCore

/// The short names people use for Whisper models, and the repositories that hold them in CTranslate2 format.
///
/// These are the names of faster-whisper 1.2.1, so that a script that worked there works here.
enum ModelNames {
    /// The repository of a short name; a name without one is searched as it is.
    static func repository(_ name: String) -> String? { repositories[name] }

    /// The possible folder names of a model in a models folder, the most likely first.
    static func folderNames(_ name: String) -> [String] {
        let repository = repository(name)
        let lastParts = [name, repository].compactMap { $0?.split(separator: "/").last.map(String.init) }
        let candidates = [name, repository].compactMap { $0 } + lastParts + ["whisper-" + name]
        return candidates.enumerated().filter { candidates.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    // MARK: Files of other programs

    /// What a file is, by its first bytes; nil when that is unknown.
    static func formatOfContent(_ file: URL) -> String? {
        switch try? ModelFormat.detect(at: file) {
        case .ggml: ggml
        case .gguf: "a model in GGUF format (llama.cpp)"
        case .safetensors, .huggingFace: safetensors
        case .pyTorch: pyTorch
        case .cTranslate2, nil: nil
        }
    }

    /// What a file is by its name; nil when that is no model's.
    static func formatOfFile(_ name: String) -> String? {
        let name = name.lowercased()
        if name.hasPrefix("ggml-"), name.hasSuffix(".bin") { return ggml }
        if name == "model.bin" { return "a part of a model, whose folder is needed" }
        switch name.split(separator: ".").last {
        case "gguf": return "a model in GGUF format (llama.cpp)"
        case "pt", "pth": return pyTorch
        case "safetensors": return safetensors
        case "onnx": return "a model in ONNX format"
        case "mlmodelc", "mlpackage": return "a model in Core ML format"
        default: return nil
        }
    }

    /// The name of the model in the name of a file: `base.en` for `ggml-base.en-q5_1.bin`.
    static func sizeOfFile(_ name: String) -> String? {
        var stem = name.lowercased()
        if stem.hasPrefix("ggml-") { stem.removeFirst(5) }
        return repositories.keys.filter { stem.hasPrefix($0) }.max { $0.count < $1.count }
    }

    private static let ggml = "a model in GGML format (whisper.cpp)"
    private static let safetensors = "a model in Hugging Face's safetensors format"
    private static let pyTorch = "a PyTorch checkpoint (openai-whisper)"

    private static let systran = [
        "tiny", "tiny.en", "base", "base.en", "small", "small.en", "medium", "medium.en",
        "large-v1", "large-v2", "large-v3",
    ]
    private static let distilled = ["large-v2", "large-v3", "medium.en", "small.en"]

    private static let repositories: [String: String] = {
        var names = [
            "large": "Systran/faster-whisper-large-v3",
            "turbo": "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
            "large-v3-turbo": "mobiuslabsgmbh/faster-whisper-large-v3-turbo",
            "distil-large-v3.5": "distil-whisper/distil-large-v3.5-ct2",
        ]
        for size in systran { names[size] = "Systran/faster-whisper-" + size }
        for size in distilled { names["distil-" + size] = "Systran/faster-distil-whisper-" + size }
        return names
    }()
}
