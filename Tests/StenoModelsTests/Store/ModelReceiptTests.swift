import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoModelStore

/// Receipts, which anybody may have written.
@Suite struct ModelReceiptTests {
    private let folder = TemporaryFolder.ofSuite()
    private var place: URL { folder.url.appendingPathComponent("models/owner/name") }
    private var store: ModelStore { ModelStore(folder: folder.url.appendingPathComponent("models")) }

    init() throws { try folder.write("weights", to: "models/owner/name/model.bin") }

    private func receipt(_ files: [(name: String, size: Int)]) -> ModelReceipt {
        let hash = TestDigest.sha256(Data())
        return ModelReceipt(
            name: "owner/name", source: "owner/name", revision: nil,
            files: files.map { ModelReceipt.File(name: $0.name, size: $0.size, sha256: hash, digest: .sha256(hash)) })
    }

    @Test func receiptsWithFilesElsewhereAreInvalid() throws {
        for name in [
            "../../../victim", "..", ".", "", "/etc/hostname", "inner/model.bin", "inner/../model.bin", "a\0b",
            "..\u{2f}\u{301}victim", ".steno-model.json",
        ] {
            try receipt([("model.bin", 7), (name, 7)]).write(to: place)
            #expect(ModelReceipt.read(place) == nil, "\(name)")
        }
    }

    @Test func removingByReceiptStaysInTheFolder() throws {
        let victim = try folder.write("mine", to: "victim")
        // With a file that is not in the receipt, files are removed one by one.
        try folder.write("mine", to: "models/owner/name/notes.txt")
        try receipt([("model.bin", 7), ("../../../victim", 4)]).write(to: place)
        expectError(.modelNotFound) { try store.remove("owner/name") }
        #expect(try String(contentsOf: victim, encoding: .utf8) == "mine")
    }

    @Test func onlyReceiptsWithPossibleSizesAreRead() throws {
        for size in [-1, 1 << 50 + 1, Int.max] {
            try receipt([("model.bin", 1), ("config.json", size)]).write(to: place)
            #expect(ModelReceipt.read(place) == nil && store.models.isEmpty, "\(size)")
        }
        // Those of downloads are read.
        let written = receipt([("config.json", 0), ("model.bin", 1 << 50)])
        try written.write(to: place)
        #expect(ModelReceipt.read(place) == written)
        // Any number of sizes has a sum.
        let files = (0..<10_000).map { (name: "\($0)", size: FileSize.limit) }
        #expect(StoredModel(folder: place, receipt: receipt(files)).size == Int.max)
        #expect(FileSize.sum([1, 2, 3]) == 6)
    }
}

@Suite struct ModelLockTests {
    /// Holds a lock as a query does for a moment.
    private func share(_ file: URL) throws -> OwnedDescriptor {
        let number = retrying { open(file.path, O_RDONLY | O_CLOEXEC) }
        try #require(number >= 0)
        let descriptor = OwnedDescriptor(number)
        try #require(flock(number, LOCK_SH | LOCK_NB) == 0)
        return descriptor
    }

    @Test func removingWaitsForQueries() async throws {
        let (rig, _) = try await DownloadRig.installed()
        let other = try share(rig.store.paths.lock(HubServer.repository))
        let pauses = Recorder<Int>()
        try rig.store.remove(HubServer.repository) {
            pauses.add(1)
            if pauses.all.count == 3 { other.unlockAndClose() }
        }
        #expect(pauses.all.count == 3 && rig.store.models.isEmpty)
        // Queries do not count as holders.
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("lock")
        #expect(!ModelLock.isHeld(file))
        let lock = try #require(try ModelLock.attempt(file))
        #expect(ModelLock.isHeld(file))
        lock.release()
        let query = try share(file)
        #expect(!ModelLock.isHeld(file))
        query.unlockAndClose()
    }

    @Test func removingDoesNotWaitForDownloads() async throws {
        let (rig, _) = try await DownloadRig.installed()
        let lock = try #require(try ModelLock.attempt(rig.store.paths.lock(HubServer.repository)))
        let pauses = Recorder<Int>()
        expectError(says: "another process") { try rig.store.remove(HubServer.repository, pause: { pauses.add(1) }) }
        #expect(pauses.all.count == ModelLock.maximumAttempts - 1)
        lock.release()
        #expect(throws: Never.self) { try rig.store.remove(HubServer.repository) }
    }
}
