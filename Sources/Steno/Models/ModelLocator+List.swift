import Foundation

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
            guard place.isFolder else {
                return listsFiles && ModelNames.isGGML(child) && place.isModel ? [child] : []
            }
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
