import ArgumentParser
import Foundation
@_spi(Benchmarks) import Steno
import StenoBundledModel
@_spi(Benchmarks) import StenoEvaluation
@_spi(Benchmarks) import StenoWhisper

/// The model to measure, and its precision.
struct MeasuredChoice: ParsableArguments {
    @Option(name: .long, help: "A model's folder (default: the bundled Whisper base).")
    var model: String?
    @Option(name: .long, help: "automatic, int8 or float32.")
    private var precision = Precision.automatic.rawValue

    var folder: URL { get throws { try model.map { URL(fileURLWithPath: $0) } ?? BundledModel.folder } }

    func load(threads: Int) async throws -> Transcriber {
        try await Transcriber.load(.folder(folder), precision: numbers, threads: threads)
    }

    /// The precision, which ``validate()`` has checked.
    var numbers: Precision { Precision(rawValue: precision) ?? .automatic }

    func validate() throws {
        guard Precision(rawValue: precision) != nil else {
            throw ValidationError("--precision must be automatic, int8 or float32.")
        }
    }
}

/// The Whisper model of a transcriber: the stages measured here are Whisper's.
func whisper(_ transcriber: Transcriber) throws -> MeasuredModel {
    guard let model = transcriber.measuredModel else {
        throw ValidationError("Only Whisper models can be measured stage by stage.")
    }
    return model
}
