import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoModelStore

@Suite struct PublishTests {
    private static let nestedName = HubServer.repository + "/ggml-nested.bin"

    /// Puts a single-file model where its download would be: in the folder of the repository's own model.
    private func nest(in rig: DownloadRig) throws -> URL {
        let file = try rig.folder.write("nested", to: "models/\(HubServer.repository)/ggml-nested/ggml-nested.bin")
        let hash = TestDigest.sha256(Data("nested".utf8))
        let own = ModelReceipt.File(name: "ggml-nested.bin", size: 6, sha256: hash, digest: .sha256(hash))
        let receipt = ModelReceipt(name: Self.nestedName, source: HubServer.repository, revision: nil, files: [own])
        try receipt.write(to: file.deletingLastPathComponent())
        return file
    }

    private func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// Puts files of the user into the folder of the repository's model.
    private func keep(_ names: String..., in rig: DownloadRig) throws -> [URL] {
        try names.map { try rig.folder.write("mine", to: "models/\(HubServer.repository)/\($0)") }
    }

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
        let others = try keep("notes.txt", ".DS_Store", "mine/model.bin", in: rig)
        try FileManager.default.removeItem(at: place.appendingPathComponent("config.json"))
        try await rig.download(force: true)
        #expect(try rig.differences() == [] && rig.store.verify(place).outcome == .intact)
        for other in others { #expect(try text(other) == "mine") }
        // Folders and hidden files do not interfere with the first download either.
        let fresh = try DownloadRig()
        let kept = try keep(".DS_Store", "mine/notes.txt", in: fresh)
        try await fresh.download()
        #expect(fresh.differences() == [])
        for other in kept { #expect(try text(other) == "mine") }
    }

    @Test func usersOwnFilesAreNeverReplaced() async throws {
        for force in [false, true] {
            let rig = try DownloadRig()
            let own = try keep("model.bin", in: rig)[0]
            let error = await rig.failure(force: force)
            #expect(error?.code == .outputFailed)
            #expect(error?.message.contains("model.bin") == true && error?.message.contains("STENO_MODELS") == true)
            #expect(try text(own) == "mine" && rig.server.sentBytes == 0)
        }
        // A file in the place of the folder.
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

    /// The process ended before the weights were in place.
    @Test func partlyPublishedModelsAreCompletedWithoutTheNetwork() async throws {
        let rig = try DownloadRig()
        let nested = try nest(in: rig)
        let place = try await rig.download()
        try FileManager.default.removeItem(at: place.appendingPathComponent("model.bin"))
        #expect(rig.store.model(HubServer.repository) == nil)
        let sent = rig.server.sentBytes
        try await rig.download()
        #expect(rig.differences() == [] && rig.server.sentBytes == sent)
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
