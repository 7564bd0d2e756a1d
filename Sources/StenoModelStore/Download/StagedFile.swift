import Foundation
import Steno

/// A file of a model during its download, holding the content received so far.
///
/// Written bytes count immediately, so that the next run resumes there even after a crash. Next to the file,
/// `.NAME.state` identifies the content.
///
/// A complete file is only read: it may be a second name of an installed model's file, or already be write-protected. A
/// restarted download uses a new file.
///
/// `@unchecked Sendable`: one transfer at a time uses it, and all mutable state is accessed under the lock.
final class StagedFile: @unchecked Sendable {
    /// Identifies the content that a file is the beginning of.
    struct State: Codable, Hashable {
        var size: Int?
        var digest: Digest?
        /// The tag of the response it came with, which shows whether a server still has the same content.
        var eTag: String?
    }

    let file: URL
    private let lock = NSLock()
    /// The file, open for writing; nil if it is complete.
    private var descriptor: OwnedDescriptor?
    private var hasher: ContentHasher
    private var state: State
    private var written = 0
    /// Whether the file had the published content when it was opened.
    private var isPublished = false

    /// Opens a file and reads its existing part; this blocks.
    ///
    /// An existing part with different content is discarded.
    init(_ planned: DownloadPlan.File, in folder: URL, isCancelled: () -> Bool) throws {
        file = folder.appendingPathComponent(planned.name)
        state = State(size: planned.size, digest: planned.digest)
        hasher = ContentHasher(size: planned.size)
        guard let status = Self.status(of: file), status.st_mode & S_IFMT == S_IFREG else {
            try startAgain()
            return
        }
        let place = file
        let found = try StoreFailure.explaining(place) {
            try FileBytes.hash(place, size: planned.size, isCancelled: isCancelled)
        }
        hasher = found.hasher
        written = found.count
        if let digest = planned.digest, written == planned.size ?? written, hasher.matches(digest) {
            isPublished = true
            return
        }
        if let saved = Self.savedState(stateFile), Self.fits(saved, planned, written) {
            state = saved
            descriptor = Self.openForWriting(place)
        }
        if descriptor == nil { try startAgain() }
    }

    /// Whether a file of this size can be resumed.
    private static func fits(_ saved: State, _ planned: DownloadPlan.File, _ written: Int) -> Bool {
        guard saved.size == planned.size, written <= planned.size ?? Int.max else { return false }
        guard let digest = planned.digest else { return saved.eTag != nil }
        // A file of the full size with another hash has other content.
        return saved.digest == digest && written != planned.size
    }

    private static func savedState(_ file: URL) -> State? {
        guard let data = try? Data(contentsOf: file) else { return nil }
        return try? JSONDecoder().decode(State.self, from: data)
    }

    /// The status of whatever is at a path, without following links; nil if there is nothing.
    private static func status(of file: URL) -> stat? {
        var status = stat()
        return lstat(file.path, &status) == 0 ? status : nil
    }

    /// Opens a file for writing; nil if it has other names, whose content would change with it, or is write-protected.
    ///
    /// The permissions are checked explicitly, because root may write to any file.
    private static func openForWriting(_ file: URL) -> OwnedDescriptor? {
        guard let status = Self.status(of: file), status.st_nlink == 1, status.st_mode & 0o200 != 0 else { return nil }
        return OwnedDescriptor.open(file.path, O_RDWR)
    }

    private var stateFile: URL { Self.stateFile(of: file) }

    static func stateFile(of file: URL) -> URL {
        file.deletingLastPathComponent().appendingPathComponent("." + file.lastPathComponent + ".state")
    }

    var count: Int { lock.withLock { written } }
    /// Whether nothing is left to fetch.
    var isComplete: Bool { lock.withLock { isPublished || written == state.size } }
    var eTag: String? { lock.withLock { state.eTag } }
    var sha256: String { lock.withLock { hasher.sha256Digits } }

    func matches(_ digest: Digest) -> Bool { lock.withLock { hasher.matches(digest) } }

    /// Records the tag of the response that the next bytes come with.
    func setTag(_ eTag: String?) throws {
        try lock.withLock {
            guard state.eTag != eTag || !FileManager.default.fileExists(atPath: stateFile.path) else { return }
            state.eTag = eTag
            let data = try JSONEncoder().encode(state)
            try StoreFailure.explaining(stateFile) {
                try AtomicFile.write(String(decoding: data, as: UTF8.self), to: stateFile)
            }
        }
    }

    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try lock.withLock {
            guard let descriptor else { throw StoreFailure.of(SystemCallError(call: "write", number: EBADF), at: file) }
            var rest = bytes
            while !rest.isEmpty {
                let place = off_t(written)
                let count = retrying { pwrite(descriptor.rawValue, rest.baseAddress, rest.count, place) }
                guard count > 0 else { throw StoreFailure.of(SystemCallError(call: "write"), at: file) }
                hasher.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
                written += count
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }

    /// Starts over with no content.
    func restart() throws { try lock.withLock { try startAgain() } }

    /// Starts over in a new file, so that other names of the existing one, in the store and in models, keep their
    /// content.
    private func startAgain() throws {
        descriptor?.close()
        descriptor = nil
        isPublished = false
        hasher = ContentHasher(size: state.size)
        written = 0
        state.eTag = nil
        unlink(stateFile.path)
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw StoreFailure.of(SystemCallError(call: "unlink"), at: file)
        }
        descriptor = OwnedDescriptor.open(file.path, O_RDWR | O_CREAT | O_EXCL, mode: 0o666)
        guard descriptor != nil else { throw StoreFailure.of(SystemCallError(call: "open"), at: file) }
    }

    func close() {
        let open = lock.withLock { descriptor }
        open?.close()
    }
}
