import Foundation
import Steno

/// A file of a model while it is downloaded: it holds the beginning of the content, as far as it has arrived.
///
/// What has been written counts at once, so that whatever ends the process, the next run continues there. Beside the
/// file, `.NAME.state` says which content it is the beginning of.
///
/// `@unchecked Sendable`: one transfer at a time uses it, and every access to what changes holds the lock.
final class StagedFile: @unchecked Sendable {
    /// Which content a file is the beginning of.
    struct State: Codable, Hashable {
        var size: Int?
        var digest: Digest?
        /// The tag of the answer it came with, which says whether a server still has the same content.
        var eTag: String?
    }

    let file: URL
    private let lock = NSLock()
    private let descriptor: OwnedDescriptor
    private var hasher: ContentHasher
    private var state: State
    private var written: Int

    /// Opens a file and reads what is there; blocks meanwhile.
    ///
    /// What is there of another content is discarded.
    init(_ planned: DownloadPlan.File, in folder: URL, isCancelled: () -> Bool) throws {
        let file = folder.appendingPathComponent(planned.name)
        self.file = file
        state = State(size: planned.size, digest: planned.digest)
        let number = retrying { open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
        guard number >= 0 else { throw StoreFailure.of(SystemCallError(call: "open"), at: file) }
        descriptor = OwnedDescriptor(number)
        (hasher, written) = try FileBytes.hash(file, size: planned.size, isCancelled: isCancelled)
        let saved = (try? Data(contentsOf: stateFile)).flatMap { try? JSONDecoder().decode(State.self, from: $0) }
        let isSame = planned.digest != nil ? saved?.digest == planned.digest : saved?.eTag != nil
        if let saved, isSame, saved.size == planned.size {
            state = saved
        } else if written > 0, planned.digest.map({ hasher.matches($0) }) != true {
            try discard()
        }
        if let size = planned.size, written > size { try discard() }
    }

    private var stateFile: URL { Self.stateFile(of: file) }

    static func stateFile(of file: URL) -> URL {
        file.deletingLastPathComponent().appendingPathComponent("." + file.lastPathComponent + ".state")
    }

    /// The bytes that are there.
    var count: Int { lock.withLock { written } }
    /// The tag of the answer they came with.
    var eTag: String? { lock.withLock { state.eTag } }
    /// SHA-256 of what is there.
    var sha256: String { lock.withLock { hasher.sha256Digits } }

    /// Whether the content is that of a digest.
    func matches(_ digest: Digest) -> Bool { lock.withLock { hasher.matches(digest) } }

    /// Notes the tag of the answer that the next bytes come with.
    func setTag(_ eTag: String?) throws {
        try lock.withLock {
            guard state.eTag != eTag || !FileManager.default.fileExists(atPath: stateFile.path) else { return }
            state.eTag = eTag
            let data = try JSONEncoder().encode(state)
            try AtomicFile.write(String(decoding: data, as: UTF8.self), to: stateFile)
        }
    }

    /// Adds bytes at the end.
    func append(_ bytes: UnsafeRawBufferPointer) throws {
        try lock.withLock {
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

    /// Begins again with nothing.
    func restart() throws { try lock.withLock { try discard() } }

    private func discard() throws {
        guard ftruncate(descriptor.rawValue, 0) == 0 else {
            throw StoreFailure.of(SystemCallError(call: "ftruncate"), at: file)
        }
        hasher = ContentHasher(size: state.size)
        written = 0
        state.eTag = nil
        unlink(stateFile.path)
    }

    /// Lets go of the file.
    func close() { descriptor.close() }
}
