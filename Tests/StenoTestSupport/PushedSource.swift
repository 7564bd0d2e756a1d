import Foundation
package import Steno
package import StenoCore

/// A source whose audio a test pushes.
package final class PushedSource: AudioSource, @unchecked Sendable {
    // Sendable: the state is accessed under the lock.
    package let name = "a test"
    private let lock = NSLock()
    private let error: StenoError?
    private var output: ChunkQueue?
    private var position = 0
    private var waiting: [@Sendable (ChunkQueue) -> Void] = []
    private let stopped: AsyncStream<Void>
    private let stop: AsyncStream<Void>.Continuation

    /// - Parameter error: What starting it throws.
    package init(error: StenoError? = nil) {
        self.error = error
        (stopped, stop) = AsyncStream.makeStream()
    }

    /// Starts a stream that begins with the audio pushed so far.
    package func start() async throws -> AudioStream {
        if let error { throw error }
        let (stream, queue) = AudioStream.makeStream { [weak self] in
            self?.end()
            self?.stop.finish()
        }
        let waiting = lock.withLock {
            output = queue
            defer { self.waiting = [] }
            return self.waiting
        }
        for act in waiting { act(queue) }
        return stream
    }

    package func push(_ samples: [Float]) {
        let start = lock.withLock {
            defer { position += samples.count }
            return position
        }
        run { $0.add(AudioChunk(position: start, samples: samples)) }
    }

    package func end(_ error: (any Error)? = nil) { run { $0.finish(throwing: error) } }

    /// Returns once nobody reads any more.
    package func hasStopped() async { for await _ in stopped {} }

    /// Acts on the stream, once there is one.
    private func run(_ act: @escaping @Sendable (ChunkQueue) -> Void) {
        let output: ChunkQueue? = lock.withLock {
            if self.output == nil { waiting.append(act) }
            return self.output
        }
        if let output { act(output) }
    }
}
