import Foundation
import StenoCompute
import StenoCore

/// The names of folders and files that a model name refers to.
package enum ModelNames {
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

extension ModelLocator {
    func notAModel(_ path: URL) -> StenoError {
        let isFile = !path.isFolder && FileManager.default.fileExists(atPath: path.path)
        if isFile || ModelNames.formatOfFile(path.lastPathComponent) != nil {
            return noModelInFile(path, exists: isFile)
        }
        guard path.isFolder else {
            return StenoError(.modelNotFound, "The model folder \(path.path) does not exist. \(Self.needed)")
        }
        do {
            guard let format = ModelNames.unsupportedContent(path) else {
                _ = try ModelFormat.detect(at: path)
                return StenoError(.modelNotFound, "\(path.path) is not a model that Steno can read. \(Self.needed)")
            }
            return StenoError(.modelNotFound, "\(path.path) holds \(format), which Steno cannot read. \(Self.needed)")
        } catch let error as StenoError {
            return error
        } catch {
            return StenoError(
                .modelNotFound,
                "\(path.path) cannot be read: \(error.localizedDescription) Check the permissions.")
        }
    }

    /// The error for a file that is not a model: what it is, what is supported, and where to find it.
    private func noModelInFile(_ file: URL, exists: Bool) -> StenoError {
        let name = file.lastPathComponent
        let format = (exists ? ModelNames.unsupportedContent(file) : nil) ?? ModelNames.formatOfFile(name)
        let problem =
            switch (exists, format) {
            case (false, let format?): "does not exist; by its name it is \(format)."
            case (true, let format?): "is \(format), which Steno cannot read."
            case (_, nil): "is not a model."
            }
        let same = ModelNames.isGGML(name) ? name : ModelNames.sizeOfFile(name)
        let download = same.map { " The same model: \(Self.downloadCommand($0))." } ?? ""
        let conversion =
            name.hasSuffix(".nemo") ? " transformers' convert_nemo_to_hf.py makes a Hugging Face folder of it." : ""
        return StenoError(.modelNotFound, "\(file.path) \(problem) \(Self.needed)\(download)\(conversion)")
    }

    private static let needed =
        "A model is a folder in CTranslate2 format, as faster-whisper uses them (model.bin, config.json, "
        + "vocabulary.json or .txt, tokenizer.json), a Hugging Face folder (model.safetensors, config.json), or a "
        + "ggml-*.bin of whisper.cpp."

    package static func downloadCommand(_ name: String) -> String { "steno models download \(name)" }

    func notFound(_ name: String) -> StenoError {
        let destination = (modelsFolders.first ?? home).appendingPathComponent(name).path
        let repository = ModelNames.repository(name)
        let inCache = repository ?? (name.contains("/") ? name : nil)
        let looked =
            "looked in \(paths(modelsFolders)) and in \(cache.folder.path)" + (inCache.map { " as \($0)" } ?? "")
        if let model = ModelCatalog.model(name) {
            return StenoError(
                .modelNotFound,
                "The model \"\(name)\" is not on this machine: \(looked). Download it: "
                    + "\(Self.downloadCommand(name)) (about \(ByteCount(model.approximateSize))), or put its folder at "
                    + "\(destination).")
        }
        let download = name.contains("/") ? "Download it: \(Self.downloadCommand(name)), or put" : "Put"
        return StenoError(
            .modelNotFound,
            "There is no model \"\(name)\" on this machine: \(looked). \(download) its folder at \(destination), or "
                + "name a folder by its path, such as ./\(name.split(separator: "/").last ?? "model"). See steno "
                + "models list --available for the names that can be downloaded.")
    }

    func paths(_ folders: [URL]) -> String { folders.map(\.path).joined(separator: ", ") }
}
