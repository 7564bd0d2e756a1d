import Foundation
import StenoBundledModel
import StenoModelStore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoWhisperKit

/// A recording of real speech.
enum Recordings {
    /// A sentence of an inaugural address, eleven seconds.
    static var english: URL { get throws { try BundledModel.samples.appendingPathComponent("inaugural-1961.wav") } }

    /// The first words of it, three seconds, in a file that goes with the folder.
    static func firstWords() async throws -> (folder: TemporaryFolder, file: URL, samples: [Float]) {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("first words.wav")
        let samples = Array(try await decoded(try english).prefix(52_800))
        try AudioFile.write(samples: samples, to: file)
        return (folder, file, samples)
    }

    /// Checks the first words of the recording, whatever the punctuation.
    static func expectWords(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let plain = text.lowercased().filter { $0.isLetter || $0 == " " }.split(separator: " ").joined(separator: " ")
        #expect(plain == "and so my fellow americans", sourceLocation: sourceLocation)
    }
}

/// Has one model, the bundled one, under every name.
struct BundledInstaller: ModelFinder {
    func folder(
        _ config: WhisperKitConfig, progress: @escaping @Sendable (DownloadProgress) -> Void
    ) async throws -> URL { try BundledModel.folder }
}

/// Sentences from several threads.
final class Reports: @unchecked Sendable {
    // Sendable: accessed under the lock.
    private let lock = NSLock()
    private var sentences: [String] = []

    var all: [String] { lock.withLock { sentences } }
    func add(_ sentence: String) { lock.withLock { sentences.append(sentence) } }
}

/// A source whose audio comes when a test says so.
final class PushedSource: AudioSource, @unchecked Sendable {
    // Sendable: the state is accessed under the lock.
    let name = "a test"
    private let lock = NSLock()
    private var output: AudioStream.Continuation?
    private var position = 0
    private var waiting: [@Sendable (AudioStream.Continuation) -> Void] = []

    /// Starts a stream with the audio that was pushed before.
    func start() async throws -> AudioStream {
        let (stream, continuation) = AudioStream.makeStream { [weak self] in self?.end() }
        let waiting = lock.withLock {
            output = continuation
            defer { self.waiting = [] }
            return self.waiting
        }
        for act in waiting { act(continuation) }
        return stream
    }

    func push(_ samples: [Float]) {
        let start = lock.withLock {
            defer { position += samples.count }
            return position
        }
        run { $0.yield(AudioChunk(position: start, samples: samples)) }
    }

    func end(_ error: (any Error)? = nil) { run { $0.finish(throwing: error) } }

    /// Acts on the stream, once there is one.
    private func run(_ act: @escaping @Sendable (AudioStream.Continuation) -> Void) {
        let output: AudioStream.Continuation? = lock.withLock {
            if self.output == nil { waiting.append(act) }
            return self.output
        }
        if let output { act(output) }
    }
}
