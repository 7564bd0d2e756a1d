import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoModelStore

@Suite struct ModelStoreTests {
    @Test func downloadedModelsAreListedWithTheirSize() async throws {
        let rig = try DownloadRig()
        #expect(rig.store.models.isEmpty && rig.store.size == 0)
        let place = try await rig.download()
        let model = try #require(rig.store.models.first)
        #expect(model.name == HubServer.repository && model.folder.path == place.path && model.size == rig.size)
        #expect(rig.store.model(HubServer.repository) == model && rig.store.partials.isEmpty)
        // Second names of files take no room.
        #expect(rig.store.size < rig.size + 4000)
        // A copy is complete without the store, and removing leaves nothing behind.
        let copy = rig.folder.url.appendingPathComponent("copy")
        try FileManager.default.copyItem(at: place, to: copy)
        #expect(try rig.store.remove(HubServer.repository) >= rig.size)
        #expect(rig.store.models.isEmpty && rig.store.size == 0)
        #expect(!FileManager.default.fileExists(atPath: rig.root.appendingPathComponent("tester").path))
        #expect(try rig.store.verify(copy).outcome == .intact)
    }

    @Test func alteredFilesAreFoundAndRepaired() async throws {
        let (rig, place) = try await DownloadRig.installed()
        #expect(try await rig.store.verify(HubServer.repository).outcome == .intact)
        let weights = place.appendingPathComponent("model.bin")
        try flip(weights, at: 100_000)
        try FileManager.default.removeItem(at: place.appendingPathComponent("config.json"))
        let result = try await rig.store.verify(HubServer.repository)
        #expect(result.outcome == .altered(["config.json is missing.", "model.bin differs from the published file."]))
        let sent = rig.server.sentBytes
        try await rig.download(force: true)
        #expect(rig.differences() == [])
        #expect(try await rig.store.verify(HubServer.repository).outcome == .intact)
        // Intact files were not fetched again.
        #expect(rig.server.sentBytes - sent == 300_000)
    }

    @Test func filesInHuggingFacesCacheAreVerifiedByName() throws {
        let folder = try TemporaryFolder()
        let hash = TestDigest.sha256(Data("weights".utf8))
        try folder.write("weights", to: "blobs/\(hash)")
        let snapshot = folder.url.appendingPathComponent("snapshots/1")
        try FileManager.default.createDirectory(at: snapshot, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: snapshot.path + "/model.bin", withDestinationPath: "../../blobs/\(hash)")
        let store = ModelStore(folder: folder.url)
        #expect(try store.verify(snapshot).outcome == .intact)
        try folder.write("weighty", to: "blobs/\(hash)")
        #expect(try store.verify(snapshot).outcome == .altered(["model.bin differs from the published file."]))
    }

    @Test func removingKeepsForeignFiles() async throws {
        let (rig, place) = try await DownloadRig.installed()
        let notes = place.appendingPathComponent("notes.txt")
        try Data("mine".utf8).write(to: notes)
        let other = try rig.folder.write("", to: "models/mine/model.bin")
        try rig.store.remove(HubServer.repository)
        #expect(try String(contentsOf: notes, encoding: .utf8) == "mine")
        #expect(place.childNames == ["notes.txt"])
        expectError(.modelNotFound) { try rig.store.remove("mine") }
        #expect(FileManager.default.fileExists(atPath: other.path))
    }

    @Test func removingEndsAnUnfinishedDownload() async throws {
        let rig = try DownloadRig()
        rig.server.add(.cut("/storage/", after: 200_000), .status(404, "/storage/", isPermanent: true))
        _ = await rig.failure()
        #expect(rig.store.partials.map(\.size).first ?? 0 >= 200_000)
        try rig.store.remove(HubServer.repository)
        #expect(rig.store.partials.isEmpty && rig.store.size == 0)
    }

    /// Inverts a byte of a read-only file, as a failing disk might.
    private func flip(_ file: URL, at offset: Int) throws {
        chmod(file.path, 0o644)
        let handle = try FileHandle(forUpdating: file)
        try handle.seek(toOffset: UInt64(offset))
        let byte = try #require(try handle.read(upToCount: 1)?.first)
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: Data([byte ^ 0xff]))
        try handle.close()
    }
}
