import Foundation
import Steno

extension ModelStore {
    /// Removes a downloaded model, and what there is of an unfinished download of it.
    ///
    /// Only files that Steno has downloaded are removed: a file that somebody has put beside them stays, with its folder.
    ///
    /// - Returns: The bytes that the disk has won.
    /// - Throws: `modelNotFound` when there is no such download; the message says who owns a model of that name that is
    ///   elsewhere. `outputFailed` when another process is downloading it or has reserved it.
    @discardableResult
    public func remove(_ name: String) throws -> Int {
        let reference = try? ModelReference(name)
        let stored = model(name)
        let folder = stored.map { relativePath($0.folder) } ?? reference?.folder ?? name
        let hasPartial = paths.partial(folder).isFolder
        guard stored != nil || hasPartial else { throw notOurs(name) }
        guard let lock = try ModelLock.attempt(paths.lock(folder)) else {
            throw StenoError(
                .outputFailed, "\(name) is being downloaded by another process; end that first.")
        }
        defer { lock.release() }
        if let stored, ModelReservation.isHeld(stored.folder) {
            throw StenoError(.outputFailed, "\(name) is reserved by a program that is running; end that first.")
        }
        let before = size
        do {
            if let stored { try remove(stored) }
            try moveToTrash(paths.partial(folder))
        } catch let error as SystemCallError {
            throw StoreFailure.of(error, at: paths.model(folder))
        }
        emptyTrash()
        collectGarbage()
        return max(0, before - size)
    }

    private func remove(_ model: StoredModel) throws {
        let ours = Set(model.receipt.files.map(\.name) + [ModelReceipt.fileName])
        if model.folder.childNames.allSatisfy(ours.contains) {
            try moveToTrash(model.folder)
        } else {
            // The receipt goes last, so that what is left after an interruption is still known to be ours.
            for file in model.receipt.files { unlink(model.folder.appendingPathComponent(file.name).path) }
            unlink(model.folder.appendingPathComponent(ModelReceipt.fileName).path)
        }
        // The owner's folder goes with its last model; rmdir leaves any that is not empty.
        var parent = model.folder.deletingLastPathComponent()
        while parent.path.hasPrefix(paths.root.path + "/"), rmdir(parent.path) == 0 { parent.deleteLastPathComponent() }
    }

    private func relativePath(_ folder: URL) -> String {
        folder.path.hasPrefix(paths.root.path + "/")
            ? String(folder.path.dropFirst(paths.root.path.count + 1)) : folder.path
    }

    private func notOurs(_ name: String) -> StenoError {
        guard let located = try? ModelLocator().locate(name) else {
            return StenoError(.modelNotFound, "There is no downloaded model \"\(name)\" in \(folder.path).")
        }
        let owner =
            switch located.origin {
            case .bundled: "It comes with the program."
            case .application: "It belongs to the program that put it there."
            case .huggingFace: "It belongs to Hugging Face's tools: hf cache delete removes it."
            case .installed, .path: "Steno has not downloaded it: remove it yourself if you no longer need it."
            }
        return StenoError(.modelNotFound, "\(name) is at \(located.folder.path). \(owner)")
    }
}
