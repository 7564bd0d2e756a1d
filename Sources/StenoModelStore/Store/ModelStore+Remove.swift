import Foundation
import Steno

extension ModelStore {
    /// Removes a downloaded model, including an unfinished download of it.
    ///
    /// Only files that Steno downloaded are removed: other files next to them stay, with their folder.
    ///
    /// - Returns: The bytes freed on disk.
    /// - Throws: `modelNotFound` if there is no such download; if a model of that name is elsewhere, the message says
    ///   who owns it. `outputFailed` if another process is downloading it or has reserved it.
    @discardableResult
    public func remove(_ name: String) throws -> Int { try remove(name, pause: ModelLock.shortPause) }

    /// - Parameter pause: Waits before the model's lock is tried again; checking its state holds it for a moment.
    @discardableResult
    func remove(_ name: String, pause: () -> Void) throws -> Int {
        let reference = try? ModelReference(name)
        let found = model(name)
        guard let folder = found.map({ relativePath($0.folder) }) ?? reference?.folder,
            found != nil || paths.partial(folder).isFolder
        else { throw notOurs(name) }
        guard let lock = try ModelLock.attempt(paths.lock(folder), pause: pause) else {
            throw StenoError(
                .outputFailed, "\(name) is being downloaded by another process. Stop the download first.")
        }
        defer { lock.release() }
        // Another process may have removed it in the meantime.
        let stored = model(name)
        // No program can reserve it until it is gone.
        let block = try stored.map { try ModelReservation.block($0.folder, name: name) }
        defer { block?.release() }
        let before = size
        try StoreFailure.explaining(paths.model(folder)) {
            if let stored { try remove(stored) }
            try moveToTrash(paths.partial(folder))
        }
        emptyTrash()
        collectGarbage()
        return max(0, before - size)
    }

    private func remove(_ model: StoredModel) throws {
        // Nothing can be moved to the trash from a folder that is linked to another disk.
        if try isAllOurs(model.folder), DiskUse.device(of: model.folder) == DiskUse.device(of: paths.root) {
            try moveToTrash(model.folder)
        } else {
            // The receipt is removed last, so that files left after an interruption are still known to be Steno's.
            try removeFiles(of: model.receipt, in: model.folder)
            unlink(model.folder.appendingPathComponent(ModelReceipt.fileName).path)
            rmdir(model.folder.path)
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
            return StenoError(
                .modelNotFound,
                "There is no downloaded model \"\(name)\" in \(folder.path). See steno models list.")
        }
        let owner =
            switch located.origin {
            case .bundled: "It comes with the program."
            case .application: "It belongs to the program that put it there."
            case .huggingFace: "It belongs to Hugging Face's tools: hf cache delete removes it."
            case .installed, .path: "Steno did not download it: remove it yourself if you no longer need it."
            }
        return StenoError(.modelNotFound, "\(name) is at \(located.folder.path). \(owner)")
    }
}
