import Foundation
import StenoBundledModel
import StenoBundledMoonshine
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCompute
@testable import StenoCore

struct ModelFamilyTests {
    private let folder = TemporaryFolder.ofSuite()

    private func model(_ type: String) throws -> URL {
        try folder.write(#"{"model_type": "\#(type)"}"#, to: "config.json")
        try folder.write("", to: "model.safetensors")
        return folder.url
    }

    private let other = ModelFamily(name: "Other", identifiers: ["other", "another"], forms: "an other.bin") {
        _, _, _, _ in
        SecondFamilyModel()
    }

    @Test func aModelIsLoadedByItsFamily() throws {
        #expect(try ModelFamily.of(model("other"), among: [.whisper, other]).name == "Other")
        #expect(try ModelFamily.of(model("whisper"), among: [other, .whisper]).name == "Whisper")
        let loaded = try ModelFamily.load(Fixtures.nano, precision: .automatic, threads: 1, isCancelled: { false })
        #expect(loaded.information.family == "Whisper")
        expectError(.cancelled) { try loaded.measureRealTimeFactor { true } }
    }

    @Test func anUnknownFamilyIsRefusedWithAListOfKnownOnes() async throws {
        let url = try model("wav2vec2")
        await expectAsyncError(.modelUnsupported, says: url.path, "wav2vec2", "Whisper", "CTranslate2", "ggml-*.bin") {
            try await Transcriber.load(.folder(url))
        }
        expectError(says: "Other models: an other.bin") { try ModelFamily.of(url, among: [.whisper, other]) }
    }

    @Test(arguments: ["whole-36", "streaming-16"]) func aMoonshineModelIsLoadedByItsFamily(name: String) throws {
        try RandomMoonshine(name).write(to: folder.url)
        let model = try ModelFamily.load(folder.url, precision: .automatic, threads: 1, isCancelled: { false })
        #expect(model.information.family == "Moonshine" && model.information.languages == ["en"])
        #expect(try model.measureRealTimeFactor { false } > 0)
        expectError(.cancelled) { try model.measureRealTimeFactor { true } }
    }

    /// A family that decodes one recording after the other is measured by its transcriptions.
    @Test func anyFamilyIsMeasured() throws {
        let model = SecondFamilyModel()
        #expect(try model.measureRealTimeFactor { false } > 0)
        expectError(.cancelled) { try model.measureRealTimeFactor { true } }
    }
}

/// The whole list of well-known models, with families that Steno does not load yet.
struct ModelCatalogTests {
    private let listed = ModelCatalog.whisper + ModelCatalog.moonshine + ModelCatalog.fastConformer

    @Test func namesAreUniqueAndOnlyModelsThatCanBeLoadedAreOffered() {
        let names = listed.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        #expect(Set(listed.map(\.repository)).count == listed.count)
        let families = Set(ModelFamily.all.flatMap(\.identifiers))
        #expect(ModelCatalog.all == listed.filter { families.contains($0.family) })
        #expect(ModelCatalog.all.contains { $0.name == ModelCatalog.standard })
    }

    @Test(arguments: ModelCatalog.whisper + ModelCatalog.moonshine + ModelCatalog.fastConformer)
    func everyModelIsDescribed(model: CatalogModel) {
        let known = Set(Languages.all.map(\.code))
        #expect(!model.languages.isEmpty && known.isSuperset(of: model.languages))
        #expect(model.languageCount > 1 || model.languages == ["en"])
        #expect(model.approximateSize > 50_000_000)
        #expect(model.repository.split(separator: "/").count == 2)
        // Creative Commons' licence asks for the author's name.
        #expect(model.license == "MIT" || model.credit != nil)
    }

    @Test func aModelIsRecognisedOnlyIfItIsCertain() {
        func model(_ name: String, _ origin: LocatedModel.Origin) -> CatalogModel? {
            ModelCatalog.model(of: LocatedModel(name: name, folder: Fixtures.nano, origin: origin))
        }
        #expect(model("base", .bundled)?.languageCount == 99)
        #expect(model("Systran/faster-whisper-tiny", .huggingFace)?.name == "tiny")
        #expect(model("base", .installed) == nil)
    }
}

@Suite struct ModelChoiceTests {
    private let nowhere = ModelLocator(bundled: nil, environment: [:], home: URL(fileURLWithPath: "/nonexistent"))

    /// The library does not depend on StenoBundledModel: it finds its folder beside the program.
    @Test func theBundledModelIsFoundWithoutDependingOnIt() throws {
        #expect(try ModelChoice.bundled.locate().folder.path == BundledModel.folder.path)
        #expect(try ModelChoice.named("base").locate().name == "base")
        #expect(BundledModel.isInstalled)
        #expect(try ModelChoice.named("moonshine-tiny").locate().folder.path == BundledMoonshine.folder.path)
        #expect(BundledMoonshine.isInstalled)
        #expect(ModelChoice.installed.suffix(2) == ["base", "moonshine-tiny"])
    }

    @Test func anUnknownNameIsNotFoundAndAFolderIsTakenAsItIs() async throws {
        expectError(.modelNotFound) { try ModelChoice.named("nothing").locate(nowhere) }
        #expect(try ModelChoice.folder(Fixtures.nano).locate(nowhere).folder == Fixtures.nano)
        #expect(try ModelChoice.named(Fixtures.nano.path).locate(nowhere).folder.path == Fixtures.nano.path)
        expectError(.modelNotFound, says: "StenoBundledModel") { try ModelChoice.bundled.locate(nowhere) }
        await expectAsyncError(.modelNotFound) {
            try await Transcriber.load(.folder(URL(fileURLWithPath: "/nonexistent")))
        }
        await expectAsyncError(.invalidOption) {
            try await Transcriber.load(.folder(Fixtures.nano), maximumConcurrentCalls: 0)
        }
    }
}

struct BundledMoonshineTests {
    @Test func theMatricesAreInInt8AndTheLicenceIsThere() throws {
        let weights = try SafetensorsFolder(folder: BundledMoonshine.folder)
        var formats: [StorageFormat: Int] = [:]
        for name in weights.names {
            let tensor = try #require(try weights.tensor(name))
            formats[tensor.format, default: 0] += tensor.count
            let isMatrix = tensor.shape.count == 2
            let isConvolution = ["conv2.weight", "conv3.weight"].contains { name.hasSuffix($0) }
            #expect(tensor.format == (isMatrix ? .int8 : isConvolution ? .float16 : .float32), "\(name)")
        }
        #expect(weights.names.count == 160)
        #expect(formats.values.reduce(0, +) == 27_092_736)
        let folder = try BundledMoonshine.folder
        #expect(try ModelIdentity(at: folder).family == "moonshine")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files == ["LICENSE", "README.md", "config.json", "model.safetensors", "tokenizer.json"])
    }
}

@Suite struct RealTimeModelsTests {
    private let folder: TemporaryFolder
    private let models: [LocatedModel]

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        models = try [("large", 3000), ("small", 300), ("small.en", 310), ("huge", 9000)].map { name, size in
            let file = try folder.write(String(repeating: "x", count: size), to: name + "/model.bin")
            return LocatedModel(name: name, folder: file.deletingLastPathComponent(), origin: .installed)
        }
    }

    private func choice(processor: String = "P", version: String = "1") -> RealTimeModels {
        RealTimeModels(models: models, memory: SpeedMemory(folder: folder.url, processor: processor, version: version))
    }

    /// A machine on which models take a thousandth of a second for each byte.
    private func speed(_ model: LocatedModel) -> ModelSpeed {
        let (size, isEnglish) = (["large": 3000, "huge": 9000][model.name] ?? 300, model.name.hasSuffix(".en"))
        return ModelSpeed(
            realTimeFactor: Double(size) / 10_000, parameterCount: size + (isEnglish ? 10 : 0),
            isMultilingual: !isEnglish)
    }

    private func measured(
        _ choice: RealTimeModels, _ speed: @escaping (LocatedModel) -> ModelSpeed
    ) throws -> [String] {
        var names: [String] = []
        try choice.measure(measure: { model in
            names.append(model.name)
            return speed(model)
        })
        return names
    }

    @Test func theBestFastEnoughModelIsChosenAndRemembered() throws {
        #expect(try measured(choice(), speed) == ["small", "small.en", "large", "huge"])
        #expect(try choice().best().name == "large")
        try choice().measure(measure: { _ in throw CancellationError() })
        #expect(try choice().best().name == "large")
    }

    @Test func aModelIsMeasuredAgainForAnotherProcessorOrVersionOrAfterAChange() throws {
        #expect(try measured(choice(), speed).count == 4)
        #expect(try measured(choice(processor: "Q"), speed).count == 4)
        #expect(try measured(choice(version: "2"), speed).count == 4)
        try folder.write("short", to: "small/model.bin")
        #expect(try measured(choice(), speed).count == 1)
        #expect(try measured(choice(processor: "Q"), speed).count == 1)
        // With a CPU quota the same processor is slower.
        #expect(ProcessorName.current.hasSuffix(", \(WorkerPool.shared.threads) cores"))
    }

    @Test func afterAModelThatIsTooSlowNoLargerOneIsLoaded() throws {
        expectError(.modelNotFound, "nothing is measured") { try choice().best() }
        let names = try measured(choice()) { model in
            ModelSpeed(realTimeFactor: model.name == "large" ? 2 : 0.1, parameterCount: 1, isMultilingual: true)
        }
        #expect(names == ["small", "small.en", "large"])
    }

    @Test func ifNothingIsFastEnoughTheFastestIsChosen() throws {
        try choice().measure(measure: { model in
            ModelSpeed(realTimeFactor: model.name == "small" ? 1 : 3, parameterCount: 1, isMultilingual: true)
        })
        #expect(try choice().best().name == "small")
    }

    @Test func aRealModelIsMeasured() throws {
        let model = LocatedModel(name: "nano", folder: Fixtures.nano, origin: .path)
        let speed = try ModelSpeed(model) { false }
        #expect(speed.realTimeFactor > 0 && speed.parameterCount > 1000)
    }
}
