import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoFasterWhisper

struct ModelFileManagerTests {
    private let folder = TemporaryFolder.ofSuite()

    private func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        try ModelFinder.$current.withValue(ModelFinder(folder), operation: body)
    }

    @Test func onlyModelsAreCountedAndRemoved() throws {
        #expect(try run { try ModelFileManager.getModelsSize() } == 0)
        try run { try ModelFileManager.clearAllModels() }
        let small = try folder.addModel("small", bytes: 1000)
        let tiny = try folder.addModel("Systran/faster-whisper-tiny", bytes: 500)
        let others = ["elsewhere/notes.txt", "models/notes.txt", "models/photos/one.jpg"]
        let kept = try others.map { try folder.write("mine", to: $0) }
        #expect(try run { try ModelFileManager.getModelsSize() } == small + tiny)
        #expect(run { ModelFileManager.modelExists(name: "small") })
        #expect(run { ModelFileManager.modelExists(name: "whisper-tiny-ct2") })
        #expect(run { ModelFileManager.modelExists(name: "whisper-tiny-ct2-int8") })
        #expect(!run { ModelFileManager.modelExists(name: "whisper-large-v2-int8-ct2") })
        try run { try ModelFileManager.clearAllModels() }
        #expect(try run { try ModelFileManager.getModelsSize() } == 0)
        #expect(!run { ModelFileManager.modelExists(name: "small") })
        for file in kept {
            #expect(FileManager.default.fileExists(atPath: file.path), "\(file.lastPathComponent) is not a model")
        }
    }

    @Test func otherModelsAreFoundAndKept() throws {
        let own = try folder.write("weights", to: "own/model.bin")
        let models = try run { try ModelFileManager.defaultModelsDirectory() }
        try FileManager.default.createDirectory(at: models, withIntermediateDirectories: true)
        let link = models.appendingPathComponent("default")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: own.deletingLastPathComponent())
        #expect(run { ModelFileManager.modelExists(name: "default") })
        try run { try ModelFileManager.clearAllModels() }
        #expect(run { ModelFileManager.modelExists(name: "default") })
    }

    @Test func missingModelsAreDownloaded() async throws {
        try folder.addModel("tiny", bytes: 10)
        let reports = Recorder<String>()
        let finder = ModelFinder(folder) { name, progress in
            progress?("model.bin", 1, 5, 5)
            reports.add("download \(name)")
            return URL(fileURLWithPath: "/models/\(name)")
        }
        try await ModelFinder.$current.withValue(finder) {
            let there = try await ModelFileManager.ensureWhisperModel(size: .tiny)
            #expect(there.lastPathComponent == "faster-whisper-tiny" && reports.all.isEmpty)
            let fetched = try await ModelFileManager.ensureWhisperModel(size: .small) { file, fraction, got, total in
                reports.add("\(file) \(fraction) \(got) \(total)")
            }
            #expect(fetched.path == "/models/small" && reports.all == ["model.bin 1.0 5 5", "download small"])
        }
        // A variable replaces all models.
        let own = ModelFinder(folder, environment: ["WHISPER_MODEL_PATH": "/models/mine"])
        try await ModelFinder.$current.withValue(own) {
            let folder = try await ModelFileManager.ensureWhisperModel(size: .turbo)
            #expect(folder.path == "/models/mine")
        }
    }

    @Test func errorsSayHowToInstallAModelOrWhyThatFailed() async throws {
        let failing = ModelFinder(folder) { _, _ in throw StenoError(.outputFailed, "The disk is full.") }
        for (finder, part) in [
            (ModelFinder(folder), "`steno models download large-v2`"), (failing, "The disk is full."),
        ] {
            let error = await #expect(throws: RecognitionError.self) {
                try await ModelFinder.$current.withValue(finder) {
                    try await ModelFileManager.ensureWhisperModel(size: .largeV2Int8)
                }
            }
            #expect(error?.errorDescription?.contains(part) == true)
        }
    }

    @Test func stenoFindsEverySizeByName() throws {
        for size in WhisperModelSize.allCases { #expect(ModelNames.repository(size.modelName) != nil, "\(size)") }
        #expect(WhisperModelSize.largeV3.modelName == "large-v3")
    }
}
