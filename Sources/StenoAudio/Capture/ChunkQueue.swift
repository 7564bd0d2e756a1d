import Foundation
import StenoCore

/// The chunks between a source and its reader: in order, limited, and ended by either side.
package final class ChunkQueue: Sendable {
    private let contents: Monitor<Contents>

    /// - Parameters:
    ///   - limit: The number of waiting samples beyond which new chunks are dropped; nil drops none.
    ///   - onStop: Called once, when the source is to end.
    init(limit: Int?, onStop: @escaping @Sendable () -> Void) {
        contents = Monitor(Contents(limit: limit ?? .max, onStop: onStop))
    }

    /// The number of samples delivered but not read yet.
    var waiting: Int { contents.read { $0.waitingSamples } }

    // MARK: The source's side

    /// Adds a chunk, from any thread, or drops it when the queue is full; returns at once.
    package func add(_ chunk: AudioChunk) { contents.update { $0.add(chunk) } }

    /// Ends the queue after the waiting chunks, with an error when the capture failed.
    package func finish(throwing error: (any Error)? = nil) {
        // The returned closure may hold the source, so it is released here, outside the lock.
        _ = contents.update { $0.finish(throwing: error) }
    }

    /// Blocks a dedicated thread (never one of Swift's pool) until fewer samples are waiting, or no more will be read.
    func waitUntilBelow(_ limit: Int) {
        contents.block { contents -> Void? in contents.hasRoom(below: limit) ? () : nil }
    }

    /// Blocks a dedicated thread until a chunk can be added without loss, or no more will be read.
    func waitUntilFits(_ chunk: AudioChunk) { contents.block { contents -> Void? in contents.fits(chunk) ? () : nil } }

    /// Suspends the task until fewer samples are waiting, no more will be read, or the task is cancelled.
    func suspendUntilBelow(_ limit: Int) async {
        try? await contents.wait { contents -> Void? in contents.hasRoom(below: limit) ? () : nil }
    }

    // MARK: The reader's side

    /// The next chunk, as soon as there is one; nil at the end.
    ///
    /// Cancelling the task abandons the queue.
    func next() async throws -> AudioChunk? {
        let result: Result<AudioChunk?, any Error> = await withTaskCancellationHandler {
            await contents.value { contents -> Result<AudioChunk?, any Error>? in contents.next() }
        } onCancel: {
            abandon()
        }
        return try result.get()
    }

    func beginReading() { contents.update { $0.iterators += 1 } }

    /// Abandons the queue with its last reader, even if the stream is kept to stop it.
    func endReading() {
        let isLast = contents.update { contents in
            contents.iterators -= 1
            return contents.iterators == 0
        }
        if isLast { abandon() }
    }

    /// Asks the source to end, unless it has; audio delivered until then can be read.
    func stop() {
        let stop = contents.update { $0.isOpen ? $0.takeOnStop() : nil }
        stop?()
    }

    /// Drops the waiting chunks and all later ones, and asks the source to end, unless it has.
    func abandon() {
        let stop = contents.update { $0.abandon() }
        stop?()
    }
}

/// The content of a chunk queue; its methods never wait.
private struct Contents: Sendable {
    private enum State {
        case open
        /// The source has ended; waiting chunks can still be read, then the error is thrown.
        case finished((any Error)?)
        /// There are no more readers.
        case abandoned
    }

    var iterators = 0
    private(set) var waitingSamples = 0
    private let limit: Int
    /// Asks the source to end; called once, and released once the source has ended, since it may hold the source.
    private var onStop: (@Sendable () -> Void)?
    private var state = State.open
    private var chunks = FIFO<AudioChunk>()
    /// The span of the samples dropped since a chunk was last added.
    private var dropped: Range<Int>?

    init(limit: Int, onStop: @escaping @Sendable () -> Void) { (self.limit, self.onStop) = (limit, onStop) }

    var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Whether a paused source can continue: fewer samples are waiting, or no more will be read.
    func hasRoom(below limit: Int) -> Bool { !isOpen || waitingSamples < limit }

    /// Whether a chunk would be added, or nothing is any more.
    func fits(_ chunk: AudioChunk) -> Bool { !isOpen || !mustDrop(chunk) }

    /// The action, to be called or released without holding the lock.
    mutating func takeOnStop() -> (@Sendable () -> Void)? {
        defer { onStop = nil }
        return onStop
    }

    mutating func add(_ chunk: AudioChunk) {
        guard isOpen else { return }
        if mustDrop(chunk) {
            let start = dropped?.lowerBound ?? chunk.position
            dropped = start..<max(start, chunk.end)
        } else {
            append(reportingLoss(before: chunk))
        }
    }

    mutating func finish(throwing error: (any Error)?) -> (@Sendable () -> Void)? {
        guard isOpen else { return nil }
        if let dropped { append(reportingLoss(before: AudioChunk(position: dropped.upperBound, samples: []))) }
        state = .finished(error)
        return takeOnStop()
    }

    mutating func abandon() -> (@Sendable () -> Void)? {
        state = .abandoned
        (chunks, waitingSamples) = (FIFO(), 0)
        return takeOnStop()
    }

    /// The next chunk, or the end: the source's error once, and nothing afterwards; nil if the reader must wait.
    mutating func next() -> Result<AudioChunk?, any Error>? {
        if let chunk = chunks.popFirst() {
            waitingSamples -= chunk.samples.count
            return .success(chunk)
        }
        switch state {
        case .open: return nil
        case .finished(let error?):
            state = .finished(nil)
            return .failure(error)
        case .finished, .abandoned: return .success(nil)
        }
    }

    /// A full queue takes chunks again when a tenth is free: one long gap is better than many short ones.
    private func mustDrop(_ chunk: AudioChunk) -> Bool {
        if dropped != nil { return waitingSamples > limit - limit / 10 }
        return waitingSamples > 0 && waitingSamples > limit - min(limit, chunk.samples.count)
    }

    private mutating func reportingLoss(before chunk: AudioChunk) -> AudioChunk {
        guard let dropped else { return chunk }
        self.dropped = nil
        let length = max(0, chunk.position - dropped.lowerBound)
        let loss = AudioDiscontinuity(.overflowed, position: dropped.lowerBound, length: length)
        return AudioChunk(
            position: chunk.position, samples: chunk.samples, discontinuities: [loss] + chunk.discontinuities)
    }

    private mutating func append(_ chunk: AudioChunk) {
        chunks.append(chunk)
        waitingSamples += chunk.samples.count
    }
}

/// Assigns positions to the samples of a stream; losses may be reported by another thread.
final class ChunkWriter: @unchecked Sendable {
    // Sendable: the position is accessed under the lock, and chunks are delivered in its order.

    /// A longer loss makes positions jump instead of being filled with silence.
    static let longestSilence = Int(AudioStreamConverter.longestGap) * AudioFile.sampleRate

    private let lock = NSLock()
    private let queue: ChunkQueue
    private var position = 0

    init(_ queue: ChunkQueue) { self.queue = queue }

    func write(_ samples: [Float]) {
        lock.withLock {
            queue.add(AudioChunk(position: position, samples: samples))
            position += samples.count
        }
    }

    /// Replaces lost audio with silence, or with a jump of the positions, and reports it.
    func lose(_ count: Int) {
        guard count > 0 else { return }
        lock.withLock {
            let isFilled = count <= Self.longestSilence
            let report = AudioDiscontinuity(isFilled ? .filled : .skipped, position: position, length: count)
            let silence = [Float](repeating: 0, count: isFilled ? count : 0)
            let start = isFilled ? position : position + count
            queue.add(AudioChunk(position: start, samples: silence, discontinuities: [report]))
            position += count
        }
    }
}

/// A first-in, first-out queue with constant time on average at both ends.
///
/// Two arrays: the older elements in reverse order, then the newer ones (Okasaki 1998, Purely Functional Data Structures).
package struct FIFO<Element> {
    private var older: [Element] = []
    private var newer: [Element] = []

    package init(_ elements: [Element] = []) { newer = elements }

    package var count: Int { older.count + newer.count }
    package var isEmpty: Bool { older.isEmpty && newer.isEmpty }
    package var first: Element? { older.last ?? newer.first }
    package var elements: [Element] { older.reversed() + newer }

    package mutating func append(_ element: Element) { newer.append(element) }

    package mutating func popFirst() -> Element? {
        if older.isEmpty { (older, newer) = (newer.reversed(), []) }
        return older.popLast()
    }
}

extension FIFO: Sendable where Element: Sendable {}
