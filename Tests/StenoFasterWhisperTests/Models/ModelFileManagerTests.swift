import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoFasterWhisper

/// Models on disk: what is counted and what is removed.
struct ModelFileManagerTests {
    private let folder: TemporaryFolder
    private let installer: ModelsOnThisMachine

    init() throws {
        folder = try TemporaryFolder()
        installer = ModelsOnThisMachine(folder)
    }

    private func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        try ModelsOnThisMachine.$installer.withValue(installer, operation: body)
    }

    @Test func onlyModelsAreCountedAndRemoved() throws {
        try folder.addModel("small", to: installer, bytes: 1000)
        try folder.addModel("Systran/faster-whisper-tiny", to: installer, bytes: 500)
        try folder.write("mine", to: "elsewhere/notes.txt")
        let models = try run { try ModelFileManager.defaultModelsDirectory() }
        let notes = models.appendingPathComponent("notes.txt")
        try Data("mine".utf8).write(to: notes)
        let photos = models.appendingPathComponent("photos/one.jpg")
        try FileManager.default.createDirectory(
            at: photos.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: photos)
        #expect(try run { try ModelFileManager.getModelsSize() } == 1500)
        #expect(run { ModelFileManager.modelExists(name: "small") })
        #expect(run { ModelFileManager.modelExists(name: "whisper-tiny-ct2") })
        #expect(run { ModelFileManager.modelExists(name: "whisper-tiny-ct2-int8") })
        #expect(!run { ModelFileManager.modelExists(name: "whisper-large-v2-int8-ct2") })
        try run { try ModelFileManager.clearAllModels() }
        #expect(try run { try ModelFileManager.getModelsSize() } == 0)
        #expect(!run { ModelFileManager.modelExists(name: "small") })
        for kept in [notes, photos, folder.url.appendingPathComponent("elsewhere/notes.txt")] {
            #expect(FileManager.default.fileExists(atPath: kept.path), "\(kept.lastPathComponent) is no model")
        }
    }

    @Test func ofALinkTheLinkIsRemoved() throws {
        let own = try folder.write("weights", to: "own/model.bin")
        let models = try installer.modelsFolder
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        let link = models.appendingPathComponent("default")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: own.deletingLastPathComponent())
        #expect(run { ModelFileManager.modelExists(name: "default") })
        try run { try ModelFileManager.clearAllModels() }
        #expect(!run { ModelFileManager.modelExists(name: "default") })
        #expect(FileManager.default.fileExists(atPath: own.path))
    }

    @Test func nothingThereIsNothingToCount() throws {
        #expect(try run { try ModelFileManager.getModelsSize() } == 0)
        try run { try ModelFileManager.clearAllModels() }
    }

    @Test func aVariableNamesAModelInPlaceOfAll() async throws {
        let installer = ModelsOnThisMachine(folder, environment: ["WHISPER_MODEL_PATH": "/models/mine"])
        try await ModelsOnThisMachine.$installer.withValue(installer) {
            let folder = try await ModelFileManager.ensureWhisperModel(size: .turbo)
            #expect(folder.path == "/models/mine")
        }
    }

    @Test func aModelThatIsNotThereNamesTheCommandThatInstallsIt() async throws {
        let error = await #expect(throws: RecognitionError.self) {
            try await ModelsOnThisMachine.$installer.withValue(installer) {
                try await ModelFileManager.ensureWhisperModel(size: .largeV2Int8)
            }
        }
        #expect(error?.errorDescription?.contains("`steno models download large-v2`") == true)
    }

    @Test func aModelThatIsMissingIsDownloaded() async throws {
        try folder.addModel("tiny", to: installer, bytes: 10)
        let reports = Recorder<String>()
        let hub = HubModels(local: installer) { name, progress in
            progress?("model.bin", 1, 5, 5)
            reports.add("download \(name)")
            return URL(fileURLWithPath: "/models/\(name)")
        }
        try await ModelsOnThisMachine.$installer.withValue(hub) {
            let there = try await ModelFileManager.ensureWhisperModel(size: .tiny)
            #expect(there.lastPathComponent == "tiny" && reports.all.isEmpty)
            let fetched = try await ModelFileManager.ensureWhisperModel(size: .small) { file, fraction, got, total in
                reports.add("\(file) \(fraction) \(got) \(total)")
            }
            #expect(fetched.path == "/models/small" && reports.all == ["model.bin 1.0 5 5", "download small"])
        }
    }

    @Test func aDownloadThatFailsSaysWhy() async throws {
        let hub = HubModels(local: installer) { _, _ in throw StenoError(.outputFailed, "The disk is full.") }
        let error = await #expect(throws: RecognitionError.self) {
            try await ModelsOnThisMachine.$installer.withValue(hub) {
                try await ModelFileManager.ensureWhisperModel(size: .small)
            }
        }
        #expect(error?.errorDescription?.contains("The disk is full.") == true)
    }

    @Test func everySizeIsAModelThatStenoFindsByName() throws {
        for size in WhisperModelSize.allCases { #expect(ModelNames.repository(size.modelName) != nil, "\(size)") }
        #expect(WhisperModelSize.largeV3.modelName == "large-v3")
    }
}
