import Foundation
import StenoCompute

extension ModelLocator {
    /// The error for a path that does not lead to a model.
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
            return StenoError(
                .modelNotFound, "\(path.path) holds \(format), which Steno cannot read. \(Self.needed)")
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

    /// The paths, separated by commas.
    func paths(_ folders: [URL]) -> String { folders.map(\.path).joined(separator: ", ") }
}
