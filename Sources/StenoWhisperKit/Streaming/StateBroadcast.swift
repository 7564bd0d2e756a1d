import Foundation

/// Sends the states of a stream to any number of readers.
final class StateBroadcast: @unchecked Sendable {
    // Sendable: all state is accessed under the lock.
    private let lock = NSLock()
    private var last = AudioStreamTranscriber.State()
    private var readers: [Int: AsyncStream<AudioStreamTranscriber.State>.Continuation] = [:]
    private var nextReader = 0

    deinit { finish() }

    /// The last state and those after it; a slow reader gets only the latest.
    func states() -> AsyncStream<AudioStreamTranscriber.State> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AudioStreamTranscriber.State.self, bufferingPolicy: .bufferingNewest(1))
        lock.withLock {
            continuation.yield(last)
            readers[nextReader] = continuation
            continuation.onTermination = { [weak self, nextReader] _ in self?.remove(nextReader) }
            nextReader += 1
        }
        return stream
    }

    func send(_ state: AudioStreamTranscriber.State) {
        let readers = lock.withLock {
            last = state
            return Array(self.readers.values)
        }
        for reader in readers { reader.yield(state) }
    }

    /// Ends the sequences of the readers so far; those who come later wait for the next stream.
    func finish() {
        let readers = lock.withLock {
            defer { self.readers = [:] }
            return Array(self.readers.values)
        }
        for reader in readers { reader.finish() }
    }

    private func remove(_ reader: Int) { _ = lock.withLock { readers.removeValue(forKey: reader) } }
}
