import Foundation
package import Steno
package import StenoCore

/// Sources that behave as files and pipes can.
package enum TestSources {
    /// A source that cannot be rewound and returns its samples in uneven pieces, as a pipe does.
    package final class Pipe: SampleSource {
        private let samples: [Float]
        private var position = 0
        package private(set) var reads = 0

        package init(_ samples: [Float]) { self.samples = samples }

        package func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
            reads += 1
            let count = min(buffer.count, samples.count - position, 1 + reads * 7919 % 3001)
            _ = buffer.update(fromContentsOf: samples[position..<(position + count)])
            position += count
            return count
        }

        package func rewind() -> Bool { false }
    }

    /// A source that has fewer samples when it is read again.
    package static func shrinking() -> Counting { Counting { 100 - 10 * $0 } }

    /// Quiet audio that counts how often it is read from the start.
    package final class Counting: SampleSource {
        private let seconds: (_ pass: Int) -> Int
        private var left = 0
        package private(set) var passes = 0

        package init(seconds: @escaping (_ pass: Int) -> Int) { self.seconds = seconds }

        package convenience init(seconds: Int) { self.init { _ in seconds } }

        package func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
            let count = min(buffer.count, left)
            buffer[..<count].update(repeating: 0.1)
            left -= count
            return count
        }

        package func rewind() -> Bool {
            left = 16000 * seconds(passes)
            passes += 1
            return true
        }
    }
}

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
