import Foundation
import StenoCompute
import StenoCore

/// The names of folders and files that a model name refers to.
package enum ModelNames {
    /// Where whisper.cpp's models are.
    package static let whisperCPP = "ggerganov/whisper.cpp"

    /// The repository of a name in the catalogue, or the place of a file of whisper.cpp; nil for other names.
    package static func repository(_ name: String) -> String? {
        isGGML(name) && !name.contains("/") ? whisperCPP + "/" + name : ModelCatalog.model(name)?.repository
    }

    /// The possible locations of a model in a models folder, the most likely first.
    static func folderNames(_ name: String) -> [String] {
        let repository = repository(name)
        let names = [name, ModelCatalog.model(name)?.name, repository].compactMap { $0 }
        let lastParts = names.compactMap { $0.split(separator: "/").last.map(String.init) }
        // `whisper-SIZE-ct2` is SwiftFasterWhisper's. A model in one file may be there without its own folder.
        var candidates =
            names + lastParts + ["whisper-" + name, "whisper-" + name + "-ct2", name + ".bin"]
        for name in names where name.hasSuffix(".bin") {
            // The part after the host, or the repository, is the name of one folder.
            let parts = name.split(separator: "/").map(String.init)
            candidates += (0...2).filter { $0 < parts.count }.map { count in
                (parts[..<count] + [folder(ofFile: parts[count...].joined(separator: "/"))]).joined(separator: "/")
            }
        }
        return candidates.enumerated().filter { candidates.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    /// The folder of a model that is one file, below the folder of its host or repository: `a--ggml-x` for `a/ggml-x.bin`.
    package static func folder(ofFile path: String) -> String {
        let name = path.replacing("/", with: "--")
        return name.hasSuffix(".bin") ? String(name.dropLast(4)) : name
    }

    // MARK: Files of other programs

    /// The type of an unreadable file, by its first bytes; nil if unknown.
    static func unsupportedContent(_ file: URL) -> String? {
        switch try? ModelFormat.detect(at: file) {
        case .safetensors: "the weights of a Hugging Face model without the config.json that belongs next to them"
        case .other(_, let kind): kind
        case .ggml, .huggingFace, .cTranslate2, nil: nil
        }
    }

    /// The kind of model that a file name indicates; nil if it is not a model's name.
    static func formatOfFile(_ name: String) -> String? {
        let name = name.lowercased()
        if isGGML(name) { return "a model in GGML format (whisper.cpp)" }
        if name == "model.bin" { return "a part of a model, whose folder is needed" }
        switch name.split(separator: ".").last {
        case "gguf": return "a GGUF model"
        case "pt", "pth": return "a PyTorch checkpoint (openai-whisper)"
        case "safetensors": return "the weights of a Hugging Face model, whose folder is needed"
        case "nemo": return "a model of NVIDIA's NeMo"
        case "onnx": return "a model in ONNX format"
        case "mlmodelc", "mlpackage": return "a model in Core ML format"
        default: return nil
        }
    }

    package static func isGGML(_ name: String) -> Bool { name.hasPrefix("ggml-") && name.hasSuffix(".bin") }

    /// The name of the model in the name of a file: `base.en` for `ggml-base.en-q5_1.bin`.
    static func sizeOfFile(_ name: String) -> String? {
        var stem = name.lowercased()
        if stem.hasPrefix("ggml-") { stem.removeFirst(5) }
        return ModelCatalog.names.filter { stem.hasPrefix($0) }.max { $0.count < $1.count }
    }
}
