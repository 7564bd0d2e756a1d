public import Foundation
import Steno

/// The models folder: lists, verifies and removes downloaded models.
///
///     for model in try ModelStore().models {
///         print(model.name, model.size)
///     }
///
/// It never uses the network. Several processes can use the same folder at the same time.
public struct ModelStore: Sendable {
    let paths: StorePaths

    /// Opens a models folder, which need not exist yet.
    ///
    /// - Parameter folder: The folder; nil for the first of `$STENO_MODELS`, or else the user's folder:
    ///   `~/Library/Application Support/Steno/Models` on Apple platforms, `~/.local/share/steno/models` (in
    ///   `$XDG_DATA_HOME`) elsewhere.
    public init(folder: URL? = nil) {
        let locator = ModelLocator()
        paths = StorePaths(root: folder ?? locator.modelsFolders.first ?? FileManager.default.temporaryDirectory)
    }

    /// The models folder.
    public var folder: URL { paths.root }

    /// The models downloaded into the folder, in alphabetical order.
    public var models: [StoredModel] { models(in: paths.root, depth: 3).sorted { $0.name < $1.name } }

    /// Finds a downloaded model by its catalogue name, repository, file in a repository or address; nil if it has not
    /// been downloaded into this folder.
    public func model(_ name: String) -> StoredModel? {
        guard let reference = try? ModelReference(name) else { return models.first { $0.name == name } }
        return model(reference)
    }

    func model(_ reference: ModelReference) -> StoredModel? {
        let folder = paths.model(reference.folder)
        guard folder.isModel else { return nil }
        return ModelReceipt.read(folder).map { StoredModel(folder: folder, receipt: $0) }
    }

    private func models(in folder: URL, depth: Int) -> [StoredModel] {
        folder.childNames.flatMap { name -> [StoredModel] in
            let child = folder.appendingPathComponent(name)
            guard !name.hasPrefix("."), child.isFolder else { return [] }
            let own = ModelReceipt.read(child).map { [StoredModel(folder: child, receipt: $0)] } ?? []
            // A repository's folder may contain models in single files, each in its own folder.
            return own + (depth > 1 ? models(in: child, depth: depth - 1) : [])
        }
    }

    /// The bytes that the folder uses on disk, including unfinished downloads; files shared by several models count
    /// once.
    public var size: Int { DiskUse.bytes(below: paths.root) }

    /// Unfinished downloads, and the number of bytes received for each.
    package var partials: [(name: String, size: Int)] {
        paths.partials.childNames.map { folder in
            let name = folder.replacing("--", with: "/")
            return (
                ModelCatalog.model(inRepository: name)?.name ?? name,
                DiskUse.bytes(below: paths.partials.appendingPathComponent(folder))
            )
        }
    }
}

enum DiskUse {
    /// The total size of the files below a folder; a file with several names counts once.
    static func bytes(below folder: URL) -> Int {
        var seen: Set<FileIdentity> = []
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let sizes = paths.map { path -> Int in
            let file = folder.appendingPathComponent(path)
            var status = stat()
            guard lstat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                let identity = FileIdentity(file), seen.insert(identity).inserted
            else { return 0 }
            return Int(status.st_size)
        }
        return FileSize.sum(sizes)
    }

    /// The free space of a folder's disk in bytes; nil if the system does not report it.
    static func free(at folder: URL) -> Int? {
        var status = statvfs()
        guard statvfs(existing(folder).path, &status) == 0 else { return nil }
        return Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    /// The disk of a place that need not exist yet, following links; nil if the system does not report it.
    static func device(of place: URL) -> UInt64? {
        var status = stat()
        guard stat(existing(place).path, &status) == 0 else { return nil }
        return UInt64(truncatingIfNeeded: status.st_dev)
    }

    /// The nearest existing folder of a place.
    private static func existing(_ place: URL) -> URL {
        var place = place
        while !FileManager.default.fileExists(atPath: place.path), place.path != "/" {
            place.deleteLastPathComponent()
        }
        return place
    }
}

/// A model that Steno downloaded into the models folder.
public struct StoredModel: Sendable, Hashable {
    /// The catalogue name, such as `small`, or the repository; use it to find and load the model.
    public let name: String
    /// The folder with its files, for `Transcriber.load(.folder(url))`.
    public let folder: URL
    /// The size of its files in bytes.
    public let size: Int

    package let receipt: ModelReceipt

    init(folder: URL, receipt: ModelReceipt) {
        self.folder = folder
        self.receipt = receipt
        name = receipt.name
        size = FileSize.sum(receipt.files.map(\.size))
    }
}

/// The layout of a models folder.
///
///     MODELS/OWNER/NAME/…                 a model: its files, and the receipt `.steno-model.json`
///     MODELS/.steno/blobs/sha256-…        every file under the name of its content; the model's file is a second name
///                                         (a hard link) of it, so that equal files take up space once
///     MODELS/.steno/partial/OWNER--NAME/  an unfinished download: the parts received so far
///     MODELS/.steno/locks/OWNER--NAME     locked by the process that downloads or removes the model
///
/// Unlike a symbolic link, a hard link stays valid wherever it is copied or moved.
struct StorePaths: Sendable {
    let root: URL

    private var own: URL { root.appendingPathComponent(".steno") }
    var blobs: URL { own.appendingPathComponent("blobs") }
    var partials: URL { own.appendingPathComponent("partial") }
    /// Folders that are being deleted.
    var trash: URL { own.appendingPathComponent("trash") }

    func model(_ folder: String) -> URL { root.appendingPathComponent(folder, isDirectory: true) }
    func partial(_ folder: String) -> URL { partials.appendingPathComponent(Self.flat(folder)) }
    func lock(_ folder: String) -> URL { own.appendingPathComponent("locks").appendingPathComponent(Self.flat(folder)) }
    func blob(_ digest: Digest) -> URL { blobs.appendingPathComponent(digest.description) }

    private static func flat(_ folder: String) -> String { folder.replacing("/", with: "--") }
}

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
            throw StenoError(.outputFailed, "\(name) is being downloaded by another process. Stop the download first.")
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
