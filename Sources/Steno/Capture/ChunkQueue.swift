import Foundation

/// The chunks between a source and its reader: in order, limited, and ended by either side.
///
/// `@unchecked Sendable`: the stored values are accessed only while `condition` is held.
final class ChunkQueue: @unchecked Sendable {
    private enum State {
        case open
        /// The source delivers nothing more; what waits can still be read, then the error is thrown.
        case finished((any Error)?)
        /// Nobody reads any more.
        case abandoned
    }

    private typealias Reader = CheckedContinuation<AudioChunk?, any Error>

    /// Who waits, to be woken once the lock is released: a task's cancellation handler takes the lock while the runtime
    /// holds one that waking the task needs too.
    private struct Wakings {
        var readers: [(Reader, Result<AudioChunk?, any Error>)] = []
        var writers: [CheckedContinuation<Void, Never>] = []
    }

    private let condition = NSCondition()
    private let limit: Int
    /// Asks the source to end; called once, and released once the source has ended, since it may hold the source.
    private var onStop: (@Sendable () -> Void)?
    private var state = State.open
    private var chunks = FIFO<AudioChunk>()
    private var waitingSamples = 0
    /// From the first sample that was dropped since a chunk was last added to the end of the last one dropped.
    private var dropped: Range<Int>?
    private var iterators = 0
    private var readers: [Reader] = []
    private var writers: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - limit: The number of waiting samples beyond which new chunks are dropped; nil drops none.
    ///   - onStop: Called once, when the source is to end.
    init(limit: Int?, onStop: @escaping @Sendable () -> Void) {
        self.limit = limit ?? .max
        self.onStop = onStop
    }

    /// The number of samples delivered but not read yet.
    var waiting: Int { condition.withLock { waitingSamples } }

    // MARK: The source's side

    /// Adds a chunk, or drops it when the queue is full.
    func add(_ chunk: AudioChunk) {
        update { wakings in
            guard isOpen else { return }
            if mustDrop(chunk) {
                let start = dropped?.lowerBound ?? chunk.position
                dropped = start..<max(start, chunk.end)
            } else {
                append(reportingLoss(before: chunk), &wakings)
            }
        }
    }

    /// Ends the queue after the chunks that wait.
    func finish(throwing error: (any Error)?) {
        _ = update { wakings -> (@Sendable () -> Void)? in
            guard isOpen else { return nil }
            if let dropped {
                append(reportingLoss(before: AudioChunk(position: dropped.upperBound, samples: [])), &wakings)
            }
            state = .finished(error)
            for reader in readers { wakings.readers.append((reader, end())) }
            readers = []
            wakeWriters(&wakings)
            return takeOnStop()
        }
    }

    /// Blocks a dedicated thread (never one of Swift's pool) until fewer samples wait, or nothing will be read.
    func waitUntilBelow(_ limit: Int) {
        condition.withLock {
            while isOpen, waitingSamples >= limit { condition.wait() }
        }
    }

    /// Suspends the task until fewer samples wait, nothing will be read, or the task is cancelled.
    func suspendUntilBelow(_ limit: Int) async {
        while mustWait(limit) {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    update { wakings in
                        if isOpen, waitingSamples >= limit, !Task.isCancelled {
                            writers.append(continuation)
                        } else {
                            wakings.writers.append(continuation)
                        }
                    }
                }
            } onCancel: {
                update { wakeWriters(&$0) }
            }
        }
    }

    private func mustWait(_ limit: Int) -> Bool {
        condition.withLock { isOpen && waitingSamples >= limit } && !Task.isCancelled
    }

    // MARK: The reader's side

    /// The next chunk, as soon as there is one; nil at the end.
    ///
    /// Cancelling the task abandons the queue.
    func next() async throws -> AudioChunk? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { reader in
                update { wakings in
                    if let chunk = removeFirst(&wakings) {
                        wakings.readers.append((reader, .success(chunk)))
                    } else if isOpen {
                        readers.append(reader)
                    } else {
                        wakings.readers.append((reader, end()))
                    }
                }
            }
        } onCancel: {
            abandon()
        }
    }

    func beginReading() { condition.withLock { iterators += 1 } }

    /// Abandons the queue with its last reader, even where somebody keeps the stream to stop it.
    func endReading() {
        let isLast = condition.withLock {
            iterators -= 1
            return iterators == 0
        }
        if isLast { abandon() }
    }

    /// Asks the source to end, unless it has; what it delivers until then can be read.
    func stop() {
        condition.withLock { isOpen ? takeOnStop() : nil }?()
    }

    /// Drops what waits and everything that is still delivered, and asks the source to end, unless it has.
    func abandon() {
        let stop = update { wakings in
            state = .abandoned
            (chunks, waitingSamples) = (FIFO(), 0)
            for reader in readers { wakings.readers.append((reader, .success(nil))) }
            readers = []
            wakeWriters(&wakings)
            return takeOnStop()
        }
        stop?()
    }

    // MARK: Under the lock

    /// Changes the stored values under the lock, and then wakes whom the change concerns.
    private func update<Value>(_ change: (inout Wakings) -> Value) -> Value {
        var wakings = Wakings()
        let value = condition.withLock { change(&wakings) }
        for (reader, result) in wakings.readers { reader.resume(with: result) }
        for writer in wakings.writers { writer.resume() }
        return value
    }

    /// What is to be called, or released, outside of the lock.
    private func takeOnStop() -> (@Sendable () -> Void)? {
        defer { onStop = nil }
        return onStop
    }

    private var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// A full queue takes chunks again when a tenth is free: one long gap is better than many short ones.
    private func mustDrop(_ chunk: AudioChunk) -> Bool {
        if dropped != nil { return waitingSamples > limit - limit / 10 }
        return waitingSamples > 0 && waitingSamples > limit - min(limit, chunk.samples.count)
    }

    private func reportingLoss(before chunk: AudioChunk) -> AudioChunk {
        guard let dropped else { return chunk }
        self.dropped = nil
        let length = max(0, chunk.position - dropped.lowerBound)
        let loss = AudioDiscontinuity(.overflowed, position: dropped.lowerBound, length: length)
        return AudioChunk(
            position: chunk.position, samples: chunk.samples, discontinuities: [loss] + chunk.discontinuities)
    }

    private func append(_ chunk: AudioChunk, _ wakings: inout Wakings) {
        guard readers.isEmpty else { return wakings.readers.append((readers.removeFirst(), .success(chunk))) }
        chunks.append(chunk)
        waitingSamples += chunk.samples.count
    }

    private func removeFirst(_ wakings: inout Wakings) -> AudioChunk? {
        guard let chunk = chunks.popFirst() else { return nil }
        waitingSamples -= chunk.samples.count
        wakeWriters(&wakings)
        return chunk
    }

    /// The end: the source's error once, and nothing afterwards.
    private func end() -> Result<AudioChunk?, any Error> {
        guard case .finished(let error?) = state else { return .success(nil) }
        state = .finished(nil)
        return .failure(error)
    }

    /// Whoever waits for room looks again.
    private func wakeWriters(_ wakings: inout Wakings) {
        condition.broadcast()
        wakings.writers += writers
        writers = []
    }
}
