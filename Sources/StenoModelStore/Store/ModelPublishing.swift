import Foundation
import Steno

extension ModelStore {
    /// Moves a finished download into place, so that a partial one is never visible.
    ///
    /// The caller holds the model's lock. Of the files already there, only those of an earlier download are replaced.
    ///
    /// - Parameter staging: The folder with the verified files.
    func publish(_ receipt: ModelReceipt, staging: URL, as folder: String) throws -> StoredModel {
        let place = paths.model(folder)
        let block = try claim(place, for: receipt.files.map(\.name), name: receipt.name)
        defer { block?.release() }
        try StoreFailure.explaining(place) {
            for file in receipt.files {
                let staged = staging.appendingPathComponent(file.name)
                try staged.synchronize()
                // Editing a file would change every model that shares it.
                chmod(staged.path, 0o444)
                keep(staged, as: file.digest)
            }
            try receipt.write(to: staging)
            try staging.synchronize()
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            if try isAllOurs(place) {
                // An older download makes way. If the process ends between the two calls, the files are still in the
                // store, and the next download reassembles them.
                try moveToTrash(place)
                try move(staging, to: place)
            } else {
                try merge(receipt, from: staging, into: place)
            }
            try place.deletingLastPathComponent().synchronize()
        }
        emptyTrash()
        return StoredModel(folder: place, receipt: receipt)
    }

    // MARK: What stands in the place

    /// Checks that a download may be put in its place: files that Steno did not download are never replaced, nor is a
    /// model that a program has reserved.
    ///
    /// - Returns: The lock that prevents the existing model from being reserved; nil if there is no model.
    /// - Throws: `outputFailed`.
    func claim(_ place: URL, for names: [String], name: String) throws -> ModelLock? {
        var status = stat()
        guard lstat(place.path, &status) == 0 else { return nil }
        guard place.isFolder else {
            throw StoreFailure.notOurs(place.deletingLastPathComponent(), [place.lastPathComponent])
        }
        let receipt = ModelReceipt.read(place)
        let ours = Set(receipt?.files.map(\.name) ?? [])
        let children = try StoreFailure.explaining(place) {
            try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
        }
        let obstacles = children.filter { child in
            let isFolder = place.appendingPathComponent(child).isFolder
            if ours.contains(child) { return isFolder }
            if names.contains(child) { return true }
            // Folders are other models. Hidden files are ignored: models have none, but file managers leave them
            // everywhere.
            return receipt == nil && !isFolder && !child.hasPrefix(".")
        }
        guard obstacles.isEmpty else { throw StoreFailure.notOurs(place, obstacles) }
        guard receipt != nil else { return nil }
        return try ModelReservation.block(place, name: name)
    }

    /// Whether a folder contains nothing but the files of its receipt, so that it can be removed whole; true if there
    /// is none.
    ///
    /// A link does not count: its target would stay.
    func isAllOurs(_ folder: URL) throws -> Bool {
        var status = stat()
        guard lstat(folder.path, &status) == 0 else { return true }
        guard status.st_mode & S_IFMT == S_IFDIR else { return false }
        let ours = Set((ModelReceipt.read(folder)?.files.map(\.name) ?? []) + [ModelReceipt.fileName])
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { child in
            ours.contains(child) && !folder.appendingPathComponent(child).isFolder
        }
    }

    /// Refuses a place on another disk, where the finished download could not be moved.
    func checkDisk(_ place: URL, staging: URL) throws {
        guard let disk = DiskUse.device(of: place), let own = DiskUse.device(of: staging), disk != own else { return }
        throw StoreFailure.otherDisk(place)
    }

    // MARK: Moving

    /// Moves the files of a download into a folder whose other contents stay.
    ///
    /// If the process ends halfway, the folder has a receipt that names the moved files, and without its weights it is
    /// not a model.
    private func merge(_ receipt: ModelReceipt, from staging: URL, into place: URL) throws {
        if let old = ModelReceipt.read(place) { try removeFiles(of: old, in: place) }
        for name in [ModelReceipt.fileName] + ModelFiles.weightsLast(receipt.files.map(\.name)) {
            try move(staging.appendingPathComponent(name), to: place.appendingPathComponent(name))
        }
        try place.synchronize()
        // The moved files are safe; anything left behind is useless.
        try? FileManager.default.removeItem(at: staging)
    }

    private func move(_ file: URL, to place: URL) throws {
        guard rename(file.path, place.path) == 0 else { throw SystemCallError(call: "rename") }
    }

    /// Removes the files of a receipt from a folder, the weights first: without them it is no longer a model.
    func removeFiles(of receipt: ModelReceipt, in folder: URL) throws {
        for name in ModelFiles.weightsLast(receipt.files.map(\.name)).reversed() {
            guard unlink(folder.appendingPathComponent(name).path) == 0 || errno == ENOENT else {
                throw SystemCallError(call: "unlink")
            }
        }
    }

    /// Gives a file its second name, derived from its content; not possible on disks without hard links.
    func keep(_ file: URL, as digest: Digest) {
        let blob = paths.blob(digest)
        guard FileIdentity(blob) == nil || FileIdentity(blob) != FileIdentity(file) else { return }
        try? FileManager.default.createDirectory(at: paths.blobs, withIntermediateDirectories: true)
        unlink(blob.path)
        link(file.path, blob.path)
    }

    /// Links a file of the store into a download, if it exists and has the right size; its content is verified later.
    func reuse(_ digest: Digest, size: Int, as file: URL) -> Bool {
        let blob = paths.blob(digest)
        return FileBytes.size(blob) == size && link(blob.path, file.path) == 0
    }

    /// Removes files of the store that no model or download uses any more: they have only one name left.
    func collectGarbage() {
        for name in paths.blobs.childNames {
            let blob = paths.blobs.appendingPathComponent(name)
            var status = stat()
            if lstat(blob.path, &status) == 0, status.st_nlink == 1 { unlink(blob.path) }
        }
    }

    /// Moves a folder out of the way in one step, if there is one.
    func moveToTrash(_ folder: URL) throws {
        var status = stat()
        guard lstat(folder.path, &status) == 0 else { return }
        try FileManager.default.createDirectory(at: paths.trash, withIntermediateDirectories: true)
        try move(folder, to: paths.trash.appendingPathComponent(UUID().uuidString))
    }

    /// Deletes files that this process, or one that ended too early, moved out of the way.
    func emptyTrash() {
        for name in paths.trash.childNames {
            try? FileManager.default.removeItem(at: paths.trash.appendingPathComponent(name))
        }
    }
}
