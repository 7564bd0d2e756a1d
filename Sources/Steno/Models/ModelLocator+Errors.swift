import Foundation

extension ModelLocator {
    /// The error for a path that leads to no model folder.
    func notAModel(_ path: URL) -> StenoError {
        let isFile = !path.isFolder && FileManager.default.fileExists(atPath: path.path)
        if isFile || ModelNames.formatOfFile(path.lastPathComponent) != nil { return isNoFolder(path, exists: isFile) }
        let reason = path.isFolder ? "has no model.bin in it" : "does not exist"
        return StenoError(.modelNotFound, "The model folder \(path.path) \(reason). \(Self.needed)")
    }

    /// The error for a file where a folder is needed: what it is, what is supported, where that is found.
    private func isNoFolder(_ file: URL, exists: Bool) -> StenoError {
        let name = file.lastPathComponent
        let format = (exists ? ModelNames.formatOfContent(file) : nil) ?? ModelNames.formatOfFile(name) ?? "a file"
        let size = ModelNames.sizeOfFile(name)
        let download = size.flatMap { size in
            ModelNames.repository(size).map { " The same model: hf download \($0), then --model \(size)." }
        }
        return StenoError(
            .modelNotFound,
            "\(file.path) \(exists ? "is" : "does not exist; by its name it is") \(format), which Steno does not read yet. "
                + Self.needed + (download ?? ""))
    }

    private static let needed =
        "A model is a folder in CTranslate2 format, as faster-whisper uses them: model.bin, config.json, "
        + "vocabulary.json (or .txt) and tokenizer.json."

    /// The error for an unknown name.
    func notFound(_ name: String) -> StenoError {
        let repository = ModelNames.repository(name) ?? (name.contains("/") ? name : nil)
        let inCache = repository.map { " as \($0)" } ?? ""
        let destination = (modelsFolders.first ?? home).appendingPathComponent(name).path
        let looked = "looked in \(paths(modelsFolders)) and in \(cache.folder.path)\(inCache)"
        guard let known = ModelNames.repository(name) else {
            return StenoError(
                .modelNotFound,
                "There is no model \"\(name)\" on this machine: \(looked). Put its folder (in CTranslate2 format, with "
                    + "model.bin) at \(destination), or name a folder by its path, such as "
                    + "./\(name.split(separator: "/").last ?? "model").")
        }
        return StenoError(
            .modelNotFound,
            "The Whisper model \"\(name)\" is not on this machine: \(looked). Download it: hf download \(known) (or put "
                + "its folder, in CTranslate2 format, at \(destination)).")
    }

    /// Paths as a sentence lists them.
    func paths(_ folders: [URL]) -> String { folders.map(\.path).joined(separator: ", ") }
}
