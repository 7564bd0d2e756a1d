import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCompute

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
        let size = model.name == "large" ? 3000 : model.name == "huge" ? 9000 : 300
        return ModelSpeed(
            realTimeFactor: Double(size) / 10_000, parameterCount: size + (model.name.hasSuffix(".en") ? 10 : 0),
            isMultilingual: !model.name.hasSuffix(".en"))
    }

    /// The names of the models that are measured.
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
    }

    /// With a CPU quota the same processor is slower.
    @Test func theProcessorsNameIncludesTheUsableCores() {
        #expect(ProcessorName.current.hasSuffix(", \(WorkerPool.shared.threads) cores"))
    }

    @Test func afterAModelThatIsTooSlowNoLargerOneIsLoaded() throws {
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

    @Test func withoutAMeasurementThereIsNoBest() throws {
        expectError(.modelNotFound) { try choice().best() }
    }

    @Test func aRealModelIsMeasured() throws {
        let model = LocatedModel(name: "nano", folder: Fixtures.nano, origin: .path)
        let speed = try ModelSpeed(model) { false }
        #expect(speed.realTimeFactor > 0 && speed.parameterCount > 1000)
    }
}
