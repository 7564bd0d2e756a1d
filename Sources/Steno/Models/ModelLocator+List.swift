import Foundation

extension ModelLocator {
    /// Every model on this machine that a name finds, in the order in which names are looked for.
    package func all() -> [LocatedModel] {
        let installed = modelsFolders.flatMap { folder in
            names(in: folder).map { name in
                LocatedModel(name: name, folder: folder.appendingPathComponent(name), origin: .installed)
            }
        }
        let downloaded = cache.repositories().compactMap { repository in
            cache.snapshot(repository).flatMap { folder in
                folder.isModelFolder ? LocatedModel(name: repository, folder: folder, origin: .huggingFace) : nil
            }
        }
        return installed + downloaded + [bundled].compactMap { $0 }
    }

    /// The names of the models in a folder: `NAME`, or `OWNER/NAME` where folders are laid out as repositories are.
    private func names(in folder: URL) -> [String] {
        folder.childNames.flatMap { child -> [String] in
            let subfolder = folder.appendingPathComponent(child)
            if subfolder.isModelFolder { return [child] }
            return subfolder.childNames.filter { subfolder.appendingPathComponent($0).isModelFolder }
                .map { child + "/" + $0 }
        }
    }
}
