import Foundation

extension ModelLocator {
    /// The error for a folder without a model.
    func notAModel(_ path: URL) -> StenoError {
        let reason = path.isFolder ? "has no model.bin in it" : "does not exist"
        return StenoError(
            .modelNotFound,
            "The model folder \(path.path) \(reason). A model folder in CTranslate2 format has model.bin, config.json, "
                + "vocabulary.json (or .txt) and tokenizer.json.")
    }

    /// The error for an unknown name.
    func notFound(_ name: String) -> StenoError {
        let repository = ModelNames.repository(name) ?? (name.contains("/") ? name : nil)
        let inCache = repository.map { " as \($0)" } ?? ""
        let destination = (modelsFolders.first ?? home).appendingPathComponent(name).path
        return StenoError(
            .modelNotFound,
            "There is no model \"\(name)\" on this machine: looked in \(paths(modelsFolders)) and in \(cache.folder.path)"
                + "\(inCache). Put its folder (in CTranslate2 format, with model.bin) at \(destination), or name a folder "
                + "by its path, such as ./\(name.split(separator: "/").last ?? "model").")
    }

    /// Paths as a sentence lists them.
    func paths(_ folders: [URL]) -> String { folders.map(\.path).joined(separator: ", ") }
}
