import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoModelStore

@Suite struct PublishTests {
    private static let nestedName = HubServer.repository + "/ggml-nested.bin"

    /// Puts a single-file model where its download would be: in the folder of the repository's own model.
    private func nest(in rig: DownloadRig) throws -> URL {
        let content = "nested"
        let file = try rig.folder.write(content, to: "models/\(HubServer.repository)/ggml-nested/ggml-nested.bin")
        let hash = TestDigest.sha256(Data(content.utf8))
        let receipt = ModelReceipt(
            name: Self.nestedName, source: HubServer.repository, revision: nil,
            files: [
                ModelReceipt.File(
                    name: "ggml-nested.bin", size: content.utf8.count, sha256: hash, digest: .sha256(hash))
            ])
        try receipt.write(to: file.deletingLastPathComponent())
        return file
    }

    private func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    @Test(arguments: [false, true]) func modelsInAnotherModelsFolderSurvive(isRepair: Bool) async throws {
        let rig = try DownloadRig()
        if isRepair { try await rig.download() }
        let nested = try nest(in: rig)
        try await rig.download(force: isRepair)
        #expect(rig.differences() == [])
        #expect(try text(nested) == "nested")
        #expect(rig.store.models.map(\.name) == [HubServer.repository, Self.nestedName])
        #expect(rig.store.partials.isEmpty)
        #expect(try rig.store.verify(rig.root.appendingPathComponent(HubServer.repository)).outcome == .intact)
        try rig.store.remove(HubServer.repository)
        #expect(rig.store.models.map(\.name) == [Self.nestedName])
        #expect(try text(nested) == "nested")
    }

    @Test func repairingKeepsForeignFiles() async throws {
        let (rig, place) = try await DownloadRig.installed()
        let others = try ["notes.txt", ".DS_Store", "mine/model.bin"].map {
            try rig.folder.write("mine", to: "models/\(HubServer.repository)/\($0)")
        }
        try FileManager.default.removeItem(at: place.appendingPathComponent("config.json"))
        try await rig.download(force: true)
        #expect(rig.differences() == [])
        #expect(try rig.store.verify(place).outcome == .intact)
        for other in others { #expect(try text(other) == "mine") }
    }

    @Test(arguments: [false, true]) func usersOwnModelsAreNeverReplaced(force: Bool) async throws {
        let rig = try DownloadRig()
        let own = try rig.folder.write("mine", to: "models/\(HubServer.repository)/model.bin")
        let error = await rig.failure(force: force)
        #expect(error?.code == .outputFailed)
        #expect(error?.message.contains("model.bin") == true && error?.message.contains("STENO_MODELS") == true)
        #expect(try text(own) == "mine")
        #expect(rig.server.sentBytes == 0)
    }

    @Test func filesInAFoldersPlaceAreNeverReplaced() async throws {
        let rig = try DownloadRig()
        let own = try rig.folder.write("mine", to: "models/\(HubServer.repository)")
        #expect(await rig.failure()?.code == .outputFailed)
        #expect(try text(own) == "mine")
    }

    @Test func filesThatAreNotInTheReceiptAreNeverReplaced() async throws {
        let (rig, place) = try await DownloadRig.installed()
        var receipt = try #require(ModelReceipt.read(place))
        receipt.files.removeAll { $0.name == "vocabulary.txt" }
        try receipt.write(to: place)
        let own = place.appendingPathComponent("vocabulary.txt")
        try FileManager.default.removeItem(at: own)
        try Data("mine".utf8).write(to: own)
        #expect(await rig.failure(force: true)?.message.contains("vocabulary.txt") == true)
        #expect(try text(own) == "mine")
        #expect(rig.differences() == ["vocabulary.txt"])
    }

    @Test func foldersAndHiddenFilesDoNotInterfere() async throws {
        let rig = try DownloadRig()
        let others = try [".DS_Store", "mine/notes.txt"].map {
            try rig.folder.write("mine", to: "models/\(HubServer.repository)/\($0)")
        }
        try await rig.download()
        #expect(rig.differences() == [])
        for other in others { #expect(try text(other) == "mine") }
    }

    /// The process ended before the weights were in place.
    @Test func partlyPublishedModelsAreCompletedWithoutTheNetwork() async throws {
        let rig = try DownloadRig()
        let nested = try nest(in: rig)
        let place = try await rig.download()
        try FileManager.default.removeItem(at: place.appendingPathComponent("model.bin"))
        #expect(rig.store.model(HubServer.repository) == nil)
        let sent = rig.server.sentBytes
        try await rig.download()
        #expect(rig.differences() == [])
        #expect(rig.server.sentBytes == sent)
        #expect(try text(nested) == "nested")
    }

    @Test func theWeightsArriveLast() {
        #expect(
            ModelFiles.weightsLast(["model.bin", "config.json", "vocabulary.txt"])
                == ["config.json", "vocabulary.txt", "model.bin"])
        #expect(
            ModelFiles.weightsLast(["model.safetensors.index.json", "model-1.safetensors", "config.json"])
                == ["model-1.safetensors", "config.json", "model.safetensors.index.json"])
    }
}
