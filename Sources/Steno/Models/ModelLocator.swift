package import Foundation
import StenoCore

/// Finds models on this machine by path or by name, without using the network or copying anything.
///
/// A name is looked up in Steno's models folders first (`$STENO_MODELS`, then the user's data folder), then in the
/// program's own folders (its bundle, and SwiftFasterWhisper's), then in the cache that Hugging Face's tools share, and
/// last it is compared with the bundled models. `base` finds a folder `base` as well as `faster-whisper-base`,
/// `whisper-base-ct2` and the repository `Systran/faster-whisper-base`.
///
/// If no model is named, the variable `$STENO_MODEL` names it, or `$WHISPER_MODEL_PATH` gives its path, as in
/// SwiftFasterWhisper. Without them, an installed model called `default` is used (a folder or a link to one), or else
/// the first bundled model. The name `auto` selects the best installed model that is known to run in real time on this
/// machine.
package struct ModelLocator: Sendable {
    /// The folders that hold one model in each subfolder, in the order in which they are searched; downloads go to the
    /// first.
    package let modelsFolders: [URL]
    /// The models that come with the program, the default first.
    package let allBundled: [LocatedModel]
    /// The bundled model that is used if none is named; nil if there is none.
    package var bundled: LocatedModel? { allBundled.first }

    let defaultName: String?
    /// Whether the environment names the default model.
    package var isDefaultNamed: Bool { defaultName != nil }
    let home: URL
    let cache: HuggingFaceCache
    let applicationFolders: [URL]
    /// The program's resource folder, in which only folders called `whisper-…` count as models.
    let resources: URL?

    /// Creates a locator that also finds models shipped with the running program.
    package init() {
        self.init(bundled: LocatedModel.allBundled, resources: Bundle.main.resourceURL, program: Self.programName)
    }

    /// - Parameters:
    ///   - bundled: The bundled models, the default first; a name locates one when no other model has that name.
    ///   - home: The user's home folder; nil is `$HOME`.
    ///   - resources: The program's resource folder, which may hold models.
    ///   - program: The name of the program, for models that SwiftFasterWhisper has downloaded for it.
    package init(
        bundled: [LocatedModel], environment: [String: String] = ProcessInfo.processInfo.environment,
        home: URL? = nil, resources: URL? = nil, program: String? = nil
    ) {
        let home = home ?? environment.path("HOME") ?? URL(fileURLWithPath: NSHomeDirectory())
        self.home = home
        allBundled = bundled
        self.resources = resources
        let named = environment["STENO_MODEL"].flatMap { $0.isEmpty ? nil : $0 }
        let path = environment["WHISPER_MODEL_PATH"].flatMap { $0.isEmpty ? nil : $0.fileURL(home: home) }
        // A folder of models is searched. Anything else is taken as a model, and if it is not one, the error says why.
        let isFolderOfModels = path.map { $0.isFolder && !$0.isModel && $0.childNames.contains { !$0.hasPrefix(".") } }
        self.defaultName = named ?? (isFolderOfModels == true ? nil : path?.path)
        self.modelsFolders =
            Self.folders(listedIn: environment["STENO_MODELS"], home: home)
            + [Self.userFolder(environment: environment, home: home)] + Self.earlierUserFolders(home: home)
            + (isFolderOfModels == true ? [path].compactMap { $0 } : [])
        self.applicationFolders = Self.applicationFolders(
            resources: resources, program: program, environment: environment, home: home)
        self.cache = HuggingFaceCache(environment: environment, home: home)
    }

    package init(
        bundled: LocatedModel?, environment: [String: String] = ProcessInfo.processInfo.environment,
        home: URL? = nil, resources: URL? = nil, program: String? = nil
    ) {
        self.init(
            bundled: [bundled].compactMap { $0 }, environment: environment, home: home, resources: resources,
            program: program)
    }

    /// - Parameter model: A path or a name; nil chooses the default model, as described above.
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
        if path.isModel { return LocatedModel(name: model, folder: path, origin: .path) }
        guard !isPlainPath(model) else { throw notAModel(path) }
        if let found = installed(model) ?? applications(model) ?? downloaded(model) { return found }
        if let named = allBundled.first(where: { $0.name == model }) { return named }
        if let bundled, model == "bundled" { return bundled }
        if model == RealTimeModels.name { return try RealTimeModels(self).best() }
        let exists = FileManager.default.fileExists(atPath: path.path)
        let isPath = exists || (!model.contains("/") && ModelNames.formatOfFile(path.lastPathComponent) != nil)
        throw isPath ? notAModel(path) : notFound(model)
    }

    private func installed(_ name: String) -> LocatedModel? {
        first(ModelNames.folderNames(name), in: modelsFolders, name: name, origin: .installed)
    }

    private func applications(_ name: String) -> LocatedModel? {
        let names = ModelNames.folderNames(name)
        let inResources = names.filter { $0.hasPrefix("whisper-") }
        for folder in applicationFolders {
            let names = folder == resources ? inResources : names
            if let found = first(names, in: [folder], name: name, origin: .application) { return found }
        }
        return nil
    }

    private func first(
        _ names: [String], in folders: [URL], name: String, origin: LocatedModel.Origin
    ) -> LocatedModel? {
        for folder in folders {
            for candidate in names.map({ folder.appendingPathComponent($0) }) where candidate.isModel {
                return LocatedModel(name: name, folder: candidate, origin: origin)
            }
        }
        return nil
    }

    private func downloaded(_ name: String) -> LocatedModel? {
        let parts = (ModelNames.repository(name) ?? name).split(separator: "/", maxSplits: 2).map(String.init)
        guard parts.count >= 2, let snapshot = cache.snapshot(parts[0] + "/" + parts[1]) else { return nil }
        // A repository may hold several models, each in a file.
        let model = parts.count > 2 ? snapshot.appendingPathComponent(parts[2]) : snapshot
        return model.isModel ? LocatedModel(name: name, folder: model, origin: .huggingFace) : nil
    }

    /// Whether the argument can only be a path.
    private func isPlainPath(_ model: String) -> Bool {
        ["/", "./", "../", "~"].contains { model.hasPrefix($0) } || model == "." || model == ".."
    }
}

extension ModelLocator {
    /// Every model on this machine that can be found by name, in search order.
    package func all() -> [LocatedModel] {
        let installed = modelsFolders.flatMap { models(in: $0, origin: .installed) }
        let applications = applicationFolders.flatMap { folder in
            models(in: folder, origin: .application).filter {
                folder != resources || $0.name.hasPrefix("whisper-")
            }
        }
        return unique(installed + applications + downloaded() + allBundled)
    }

    /// How deep models may be in a models folder: `NAME`, `OWNER/NAME` like repositories, or `OWNER/NAME/FILE` for a
    /// repository with a model in each file.
    private static let depth = 3

    private func models(in folder: URL, origin: LocatedModel.Origin) -> [LocatedModel] {
        names(in: folder, depth: Self.depth).map { name in
            LocatedModel(name: name, folder: folder.appendingPathComponent(name), origin: origin)
        }
    }

    /// - Parameter listsFiles: Whether a file in the folder can be a model of its own; in a model's folder it belongs to
    ///   that model.
    private func names(in folder: URL, depth: Int, listsFiles: Bool = true) -> [String] {
        folder.childNames.flatMap { child -> [String] in
            guard !child.hasPrefix(".") else { return [] }
            let place = folder.appendingPathComponent(child)
            guard place.isFolder else { return listsFiles && ModelNames.isGGML(child) && place.isModel ? [child] : [] }
            // The folder of a repository may hold models made of single files, each in its own folder.
            let isModel = place.isModel
            let below = depth > 1 ? names(in: place, depth: depth - 1, listsFiles: !isModel) : []
            return (isModel ? [child] : []) + below.map { child + "/" + $0 }
        }
    }

    private func downloaded() -> [LocatedModel] {
        cache.repositories().flatMap { repository -> [LocatedModel] in
            guard let snapshot = cache.snapshot(repository) else { return [] }
            if snapshot.isModel, !snapshot.childNames.contains(where: ModelNames.isGGML) {
                return [LocatedModel(name: repository, folder: snapshot, origin: .huggingFace)]
            }
            return names(in: snapshot, depth: 1).map {
                LocatedModel(
                    name: repository + "/" + $0, folder: snapshot.appendingPathComponent($0), origin: .huggingFace)
            }
        }
    }

    /// A folder that is in two lists (a resource folder of the program, say) is listed once.
    private func unique(_ models: [LocatedModel]) -> [LocatedModel] {
        var seen: Set<String> = []
        return models.filter { seen.insert($0.folder.standardizedFileURL.path).inserted }
    }
}

/// A model on disk, and how it was found.
package struct LocatedModel: Sendable, Hashable {
    package enum Origin: String, Sendable, Hashable, Codable, CaseIterable {
        case path
        /// In one of Steno's models folders.
        case installed
        /// Among the running program's files: in its bundle, or where SwiftFasterWhisper keeps its downloads.
        case application
        case huggingFace
        case bundled
    }

    /// A name that locates the model again, or its path.
    package var name: String
    /// The folder that holds its files, or the file of a model in one file.
    package var folder: URL
    package var origin: Origin

    package init(name: String, folder: URL, origin: Origin) {
        self.name = name
        self.folder = folder
        self.origin = origin
    }

    /// Whisper base as it comes with the program, found at run time next to it or in its bundles; nil if it is missing.
    package static var bundled: LocatedModel? { bundled(.whisperBase) }

    /// All models that come with the program, the preferred first.
    package static var allBundled: [LocatedModel] { BundledProduct.all.compactMap(bundled) }

    private static func bundled(_ product: BundledProduct) -> LocatedModel? {
        product.model(of: Anchor.self).map { LocatedModel(name: product.model, folder: $0, origin: .bundled) }
    }

    private final class Anchor {}
}
