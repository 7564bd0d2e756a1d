package import Foundation

/// Finds models on this machine by path or by name; it never uses the network.
///
/// A name is searched in Steno's models folders first (`$STENO_MODELS`, then the user's data folder), then in the
/// cache that Hugging Face's tools share, and last compared with the bundled model. `base` finds
/// a folder `base` as well as `faster-whisper-base` and the repository `Systran/faster-whisper-base`.
///
/// When no model is named, the variable `$STENO_MODEL` names it; without it an installed model called `default` is
/// taken (a folder or a link to one), and last the bundled model.
package struct ModelLocator: Sendable {
    /// The folders that hold one model in each subfolder, in the order in which they are searched.
    package let modelsFolders: [URL]
    /// The bundled model, if there is one.
    package let bundled: LocatedModel?

    let defaultName: String?
    let home: URL
    let cache: HuggingFaceCache

    /// Creates a locator, which also finds the model of the product StenoBundledModel where a program has it.
    package init() { self.init(bundled: .bundled) }

    /// Creates a locator with other places.
    ///
    /// - Parameters:
    ///   - bundled: The bundled model; its name locates it when no other model has that name.
    ///   - environment: The environment variables to look at.
    ///   - home: The user's home folder; nil is `$HOME`.
    package init(
        bundled: LocatedModel?, environment: [String: String] = ProcessInfo.processInfo.environment,
        home: URL? = nil
    ) {
        let home = home ?? environment.path("HOME") ?? URL(fileURLWithPath: NSHomeDirectory())
        self.home = home
        self.bundled = bundled
        self.defaultName = environment["STENO_MODEL"].flatMap { $0.isEmpty ? nil : $0 }
        self.modelsFolders =
            Self.folders(listedIn: environment["STENO_MODELS"]) + [
                Self.userFolder(environment: environment, home: home)
            ]
        self.cache = HuggingFaceCache(environment: environment, home: home)
    }

    /// Finds a model.
    ///
    /// - Parameter model: A folder's path or a model's name; nil chooses the default model, as described above.
    /// - Throws: `StenoError` with the code `modelNotFound`, which lists the folders searched.
    package func locate(_ model: String? = nil) throws -> LocatedModel {
        if let named = model ?? defaultName { return try find(named) }
        if let installed = installed("default") ?? bundled { return installed }
        throw StenoError(
            .modelNotFound,
            "No model was named and none called \"default\" is installed in \(paths(modelsFolders)). "
                + "Name one by its folder or its name.")
    }

    private func find(_ model: String) throws -> LocatedModel {
        let path = model.fileURL(home: home)
        if path.isModelFolder { return LocatedModel(name: model, folder: path, origin: .path) }
        guard !isPlainPath(model) else { throw notAModel(path) }
        if let found = installed(model) ?? downloaded(model) { return found }
        if let bundled, [bundled.name, "bundled"].contains(model) { return bundled }
        let exists = FileManager.default.fileExists(atPath: path.path)
        let isPath = exists || ModelNames.formatOfFile(path.lastPathComponent) != nil
        throw isPath ? notAModel(path) : notFound(model)
    }

    private func installed(_ name: String) -> LocatedModel? {
        for folder in modelsFolders {
            for candidate in ModelNames.folderNames(name).map({ folder.appendingPathComponent($0) })
            where candidate.isModelFolder {
                return LocatedModel(name: name, folder: candidate, origin: .installed)
            }
        }
        return nil
    }

    private func downloaded(_ name: String) -> LocatedModel? {
        guard let folder = cache.snapshot(ModelNames.repository(name) ?? name), folder.isModelFolder else { return nil }
        return LocatedModel(name: name, folder: folder, origin: .huggingFace)
    }

    /// Whether the argument can only be a path.
    private func isPlainPath(_ model: String) -> Bool {
        ["/", "./", "../", "~"].contains { model.hasPrefix($0) } || model == "." || model == ".."
    }
}
