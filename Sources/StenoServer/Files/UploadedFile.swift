#if Server
    package import Foundation
    import NIOCore
    import NIOPosix
    package import Steno
    import StenoCore

    /// An upload in a private temporary file, deleted when its last reference is dropped.
    ///
    /// On Linux the file has no name. Where the decoder needs one (AVFoundation), the server picks it at random:
    /// nothing that a client sends becomes part of a path.
    ///
    /// `@unchecked Sendable`: one task writes until it calls ``complete()``; afterwards nothing changes.
    package final class UploadedFile: @unchecked Sendable {
        /// The number of bytes collected before they are written.
        private static let pieceSize = 256 << 10

        private let budget: UploadBudget
        let limit: Int
        private let folder: URL
        private var descriptor: OwnedDescriptor?
        private var path: String?
        private var pending = ByteBuffer()
        package private(set) var byteCount = 0

        /// Creates an empty upload, which has no file yet.
        ///
        /// - Parameter limit: The maximum size in bytes.
        package init(limit: Int, budget: UploadBudget, folder: URL = FileManager.default.temporaryDirectory) {
            (self.limit, self.budget, self.folder) = (limit, budget, folder)
        }

        deinit {
            if let path { unlink(path) }
            budget.giveBack(byteCount)
        }

        /// - Throws: ``ServerError``: 413 beyond the limit, 503 when the disk is full or other uploads have taken the
        ///   room.
        func write(_ bytes: ByteBuffer) async throws {
            guard byteCount + bytes.readableBytes <= limit else { throw Self.tooLarge(limit: limit) }
            guard budget.take(bytes.readableBytes) else { throw ServerError.busy(retryAfter: 10) }
            byteCount += bytes.readableBytes
            pending.writeImmutableBuffer(bytes)
            if pending.readableBytes >= Self.pieceSize { try await flush() }
        }

        func complete() async throws {
            try await flush()
            pending = ByteBuffer()
        }

        /// Opens the audio; call it on the thread that reads it.
        package func open() throws -> AudioFile {
            guard let descriptor else { throw StenoError(.notAudio, "The file is empty. Send a file with audio.") }
            return try AudioFile.open(descriptor: descriptor.rawValue, path: path, name: "The file")
        }

        private func flush() async throws {
            guard pending.readableBytes > 0 else { return }
            let bytes = pending
            pending.clear(minimumCapacity: 0)
            // Writing to a file may block, which threads of Swift's pool must not do.
            try await NIOThreadPool.singleton.runIfActive { [self] in
                let file = try descriptor ?? makeFile()
                descriptor = file
                do { try bytes.withUnsafeReadableBytes { try file.write($0) } } catch { throw Self.noRoom }
            }
        }

        private func makeFile() throws -> OwnedDescriptor {
            let path = folder.appendingPathComponent("steno-upload-\(UUID().uuidString)").path
            guard let file = OwnedDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600) else {
                throw Self.noRoom
            }
            #if os(Linux)
                unlink(path)
            #else
                self.path = path
            #endif
            return file
        }

        static func tooLarge(limit: Int) -> ServerError {
            .invalid(
                "The upload is larger than \(ByteCount(limit)), which is the limit of this server (--max-upload).",
                parameter: "file", code: "file_too_large", status: 413)
        }

        private static var noRoom: ServerError {
            ServerError(
                status: 503,
                message: "The server could not store the upload: its disk is full or not writable. Try again later.",
                type: "server_error", code: "storage_failed", retryAfter: 30)
        }
    }

    /// The bytes that all uploads together may take, on disk or in memory.
    package final class UploadBudget: Sendable {
        private let limit: Int
        private let taken = Monitor(0)

        package init(limit: Int) { self.limit = limit }

        package var used: Int { taken.current }

        /// Takes bytes; returns false, and takes none, if there are not enough.
        func take(_ count: Int) -> Bool {
            taken.update { taken in
                guard count <= limit - taken else { return false }
                taken += count
                return true
            }
        }

        func giveBack(_ count: Int) { taken.update { $0 -= count } }
    }

    /// One request's share of a budget, given back when its last reference is dropped.
    ///
    /// `@unchecked Sendable`: only one task takes bytes; afterwards nothing changes.
    final class UploadShare: @unchecked Sendable {
        private let budget: UploadBudget
        private var taken = 0

        init(of budget: UploadBudget) { self.budget = budget }

        deinit { budget.giveBack(taken) }

        /// - Throws: ``ServerError``: 503 when other requests have taken the room.
        func take(_ count: Int) throws(ServerError) {
            guard budget.take(count) else { throw .busy(retryAfter: 10) }
            taken += count
        }
    }
#endif
