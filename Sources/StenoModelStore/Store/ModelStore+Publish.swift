import Foundation
import Steno

extension ModelStore {
    /// Puts a finished download in its place: all of it at once, so that nobody sees a part.
    ///
    /// Called by the holder of the model's lock.
    ///
    /// - Parameter staging: The folder with the verified files.
    func publish(_ receipt: ModelReceipt, staging: URL, as folder: String) throws -> StoredModel {
        let place = paths.model(folder)
        do {
            for file in receipt.files {
                let staged = staging.appendingPathComponent(file.name)
                try staged.synchronize()
                // Whoever edits a file would edit it in every model that shares it.
                chmod(staged.path, 0o444)
                keep(staged, as: file.digest)
            }
            try receipt.write(to: staging)
            try staging.synchronize()
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            // An older download makes way; a process that ends between the two calls leaves the files in the store,
            // and the next download puts them together again.
            try moveToTrash(place)
            guard rename(staging.path, place.path) == 0 else { throw SystemCallError(call: "rename") }
            try place.deletingLastPathComponent().synchronize()
        } catch let error as SystemCallError {
            throw StoreFailure.of(error, at: place)
        }
        emptyTrash()
        return StoredModel(folder: place, receipt: receipt)
    }

    /// Gives a file its second name, by its content; disks without hard links have no second names.
    func keep(_ file: URL, as digest: Digest) {
        let blob = paths.blob(digest)
        guard FileIdentity(blob) == nil || FileIdentity(blob) != FileIdentity(file) else { return }
        try? FileManager.default.createDirectory(at: paths.blobs, withIntermediateDirectories: true)
        unlink(blob.path)
        link(file.path, blob.path)
    }

    /// Puts a file of the store into a download, if it is there with the right size; its content is verified later.
    func reuse(_ digest: Digest, size: Int, as file: URL) -> Bool {
        let blob = paths.blob(digest)
        return FileBytes.size(blob) == size && link(blob.path, file.path) == 0
    }

    /// Removes files of the store that belong to no model and no download any more: they have one name left.
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
        let place = paths.trash.appendingPathComponent(UUID().uuidString)
        guard rename(folder.path, place.path) == 0 else { throw SystemCallError(call: "rename") }
    }

    /// Deletes what was moved out of the way, by this process or by one that was ended before it could.
    func emptyTrash() {
        for name in paths.trash.childNames {
            try? FileManager.default.removeItem(at: paths.trash.appendingPathComponent(name))
        }
    }
}
