import Foundation
import StenoBundledModel
import StenoTestSupport

@testable import Steno
@testable import StenoFasterWhisper

extension Recordings {
    /// Seven seconds of Spanish.
    static let spanish = Fixtures.file("real-speech/es_test_clip.wav")

    /// Samples in chunks, one second each.
    static func chunks(_ samples: [Float], length: Int = 16_000) -> [[Float]] {
        stride(from: 0, to: samples.count, by: length).map { Array(samples[$0..<min($0 + length, samples.count)]) }
    }

    /// Chunks one after the other, and the end.
    static func stream(_ chunks: [[Float]]) -> AsyncStream<[Float]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [Float].self)
        for chunk in chunks { continuation.yield(chunk) }
        continuation.finish()
        return stream
    }

    /// The bundled model, loaded.
    static func whisper() async throws -> SwiftFasterWhisper {
        let whisper = SwiftFasterWhisper(modelPath: try BundledModel.folder.path)
        try await whisper.loadModel()
        return whisper
    }
}

/// Has one model, the bundled one, under every name.
struct BundledInstaller: ModelFinder {
    func installedFolder(of name: String) -> URL? { try? BundledModel.folder }

    func folder(of name: String, progress: DownloadProgressCallback?) async throws -> URL {
        progress?(name, 1, 1, 1)
        return try BundledModel.folder
    }

    var modelsFolder: URL { get throws { try BundledModel.folder.deletingLastPathComponent() } }

    func installedModels() throws -> [URL] { [] }
    func removeInstalledModels() throws {}
}

/// What a delegate hears.
final class Listener: StreamingRecognizerDelegate, @unchecked Sendable {
    // Sendable: accessed under the lock.
    private let lock = NSLock()
    private var received: [TranscriptionSegment] = []
    private var ends: [RecognitionError?] = []
    private var gaps: [Range<Double>] = []

    var segments: [TranscriptionSegment] { lock.withLock { received } }
    var errors: [RecognitionError?] { lock.withLock { ends } }
    var skipped: [Range<Double>] { lock.withLock { gaps } }

    func recognizer(_ recognizer: StreamingRecognizer, didReceiveSegments segments: [TranscriptionSegment]) {
        lock.withLock { received += segments }
    }

    func recognizer(_ recognizer: StreamingRecognizer, didFinishWithError error: (any Error)?) {
        lock.withLock { ends.append(error as? RecognitionError) }
    }

    func recognizer(_ recognizer: StreamingRecognizer, didSkipAudio seconds: Range<Double>) {
        lock.withLock { gaps.append(seconds) }
    }
}

extension ModelsOnThisMachine {
    /// The models of a home folder of its own.
    init(_ home: TemporaryFolder, environment: [String: String] = [:]) {
        self.init(
            locator: ModelLocator(bundled: nil, environment: [:], home: home.url), environment: environment)
    }
}

extension TemporaryFolder {
    /// Puts a file of zeros where a model's weights are.
    func addModel(_ name: String, to installer: ModelsOnThisMachine, bytes: Int) throws {
        let model = try installer.modelsFolder.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(count: bytes).write(to: model.appendingPathComponent("model.bin"))
    }
}
