import Foundation
import StenoBundledModel
import StenoTestSupport

@testable import Steno
@testable import StenoCore
@testable import StenoFasterWhisper
@testable import StenoModelStore

extension Recordings {
    /// Seven seconds of Spanish.
    static let spanish = Fixtures.file("real-speech/es_test_clip.wav")

    /// The samples in chunks, by default of one second.
    static func chunks(_ samples: [Float], length: Int = 16_000) -> [[Float]] {
        stride(from: 0, to: samples.count, by: length).map { Array(samples[$0..<min($0 + length, samples.count)]) }
    }

    static func stream(_ chunks: [[Float]]) -> AsyncStream<[Float]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [Float].self)
        for chunk in chunks { continuation.yield(chunk) }
        continuation.finish()
        return stream
    }

    static func whisper(_ folder: URL? = nil) async throws -> SwiftFasterWhisper {
        let whisper = SwiftFasterWhisper(modelPath: try folder?.path ?? BundledModel.folder.path)
        try await whisper.loadModel()
        return whisper
    }
}

extension ModelFinder {
    /// Has one model under every name.
    static func always(_ model: URL) -> ModelFinder {
        let nowhere = ModelLocator(bundled: nil, environment: [:], home: URL(fileURLWithPath: "/no/such/home"))
        let supply = Supply(locator: nowhere) { name, progress in
            progress?(name, 1, 1, 1)
            return model
        }
        return ModelFinder(supply, environment: [:])
    }

    init(_ home: TemporaryFolder, environment: [String: String] = [:], download: Supply.Download? = nil) {
        let models = home.url.appendingPathComponent("models")
        let locator = ModelLocator(bundled: nil, environment: ["STENO_MODELS": models.path], home: home.url)
        self.init(
            Supply(locator: locator, download: download), store: ModelStore(folder: models), environment: environment)
    }
}

final class Listener: StreamingRecognizerDelegate, Sendable {
    private let received = Recorder<[TranscriptionSegment]>()
    private let ends = Recorder<RecognitionError?>()
    private let gaps = Recorder<Range<Double>>()

    var segments: [TranscriptionSegment] { received.all.flatMap(\.self) }
    var errors: [RecognitionError?] { ends.all }
    var skipped: [Range<Double>] { gaps.all }

    func recognizer(_ recognizer: StreamingRecognizer, didReceiveSegments segments: [TranscriptionSegment]) {
        received.add(segments)
    }

    func recognizer(_ recognizer: StreamingRecognizer, didFinishWithError error: (any Error)?) {
        ends.add(error as? RecognitionError)
    }

    func recognizer(_ recognizer: StreamingRecognizer, didSkipAudio seconds: Range<Double>) { gaps.add(seconds) }
}

extension TemporaryFolder {
    /// Puts a file of zeros where a downloaded model's weights are, with the receipt.
    ///
    /// - Returns: The bytes that the model takes.
    @discardableResult func addModel(_ name: String, bytes: Int) throws -> Int64 {
        let reference = try ModelReference(name)
        let model = url.appendingPathComponent("models").appendingPathComponent(reference.folder)
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(count: bytes).write(to: model.appendingPathComponent("model.bin"))
        let digest = String(repeating: "0", count: 64)
        let file = ModelReceipt.File(name: "model.bin", size: bytes, sha256: digest, digest: .sha256(digest))
        try ModelReceipt(name: name, source: reference.folder, revision: nil, files: [file]).write(to: model)
        let receipt = try Data(contentsOf: model.appendingPathComponent(ModelReceipt.fileName))
        return Int64(bytes + receipt.count)
    }
}

/// Holds up a decoder until opened, and notes when the decoder is gone.
struct Gate: Sendable {
    private let isOpen = Monitor(false)
    private let gone = AsyncGate()

    func open() { isOpen.update { $0 = true } }

    func pass() { isOpen.block { isOpen -> Void? in isOpen ? () : nil } }

    func decoderEnded() { gone.open() }

    func decoderIsGone() async { await gone.wait() }
}

final class GatedModel: ForwardingModel {
    let model: any SpeechModel
    private let gate: Gate
    private let fails: Bool

    init(_ gate: Gate, hearing: SecondFamilyModel.Hearing = .repeated, fails: Bool = false) {
        model = SecondFamilyModel(hearing: hearing)
        self.gate = gate
        self.fails = fails
    }

    func makeLiveDecoder(_ options: LiveDecoderOptions) throws -> LiveDecoder {
        let owner = DecoderLife(gate)
        return try model.makeLiveDecoder(options).wrapped { [fails] _, decode in
            owner.gate.pass()
            if fails { throw StenoError(.modelDamaged, "The weights are damaged.") }
            return try decode()
        }
    }
}

private final class DecoderLife {
    let gate: Gate

    init(_ gate: Gate) { self.gate = gate }

    deinit { gate.decoderEnded() }
}
