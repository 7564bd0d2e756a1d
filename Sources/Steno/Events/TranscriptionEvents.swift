package import Foundation
import StenoCore

/// The events of a session for one reader, in order; the sequence ends after a final state.
///
/// Each reader has its own buffer, so a slow one does not hold up the others. A reader that starts late first gets a
/// snapshot (``TranscriptionEvent/snapshot``). Copies share the buffer: each event goes to the copy that asks first.
/// The buffer is freed with the last copy.
public struct TranscriptionEvents: AsyncSequence, Sendable {
    /// Iterates over the events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: EventReader
        fileprivate let session: (any AnyObject)?

        /// The next event, or nil at the end of the session or when the task is cancelled.
        public mutating func next() async -> TranscriptionEvent? { await reader.next() }
    }

    let reader: EventReader
    /// An object kept alive while the events are read.
    var session: (any AnyObject & Sendable)?

    /// Starts reading.
    public func makeAsyncIterator() -> Iterator { Iterator(reader: reader, session: session) }

    /// Blocks a thread, never one of Swift's pool, until there is an event, at most until a time.
    ///
    /// - Parameter limit: nil waits without limit.
    /// - Returns: The event, or `.some(nil)` at the end; nil if the time has come.
    @available(*, noasync, message: "It blocks the thread: iterate instead.")
    package func block(before limit: Date?) -> TranscriptionEvent?? { reader.block(before: limit) }

    /// Ends the sequence after the events that are waiting for this reader, while the session continues.
    package func finish() { reader.finish().forEach { $0() } }
}

/// The events that a slow reader may lose; text is never lost.
package struct EventBuffering: Sendable, Hashable {
    /// The number of unread events at which older ones are merged; nil keeps every event.
    let limit: Int?

    /// Keeps every event, however many are unread: for readers that record, and for tests.
    package static let unbounded = EventBuffering(limit: nil)

    /// Keeps at most about `limit` unread events.
    ///
    /// When there are more, unread levels are dropped first, then partial text that later text has replaced. If that is
    /// not enough, all unread events become one ``TranscriptionEvent/Kind/snapshot`` with all text so far, so memory
    /// does not grow with unread events; the other reports among them (discontinuities, errors) are then lost.
    package static func bounded(_ limit: Int) -> EventBuffering { EventBuffering(limit: max(8, limit)) }

    /// About a minute of events.
    package static let standard = bounded(1024)
}

/// Sends the events of a session to any number of readers: for engines.
///
/// It numbers the events and keeps the text so far, for the snapshots of late readers.
package final class TranscriptionEventBroadcast: @unchecked Sendable {
    // Sendable: all state is accessed under the lock.
    private struct WeakReader {
        weak var reader: EventReader?
    }

    private let lock = NSLock()
    private var readers: [WeakReader] = []
    private var text: LiveTranscript
    private var next = 0
    private var position = 0.0
    private var isFinished = false

    /// - Parameter start: Where its segment numbers begin, so that its snapshots leave earlier text in place.
    package init(from start: SessionStart = SessionStart()) { text = LiveTranscript(from: start) }

    deinit { finish() }

    package var current: LiveTranscript { lock.withLock { text } }

    /// Sends an event, with the next sequence number; after ``finish()`` nothing is sent.
    package func send(_ event: TranscriptionEvent) { put(event).forEach { $0() } }

    /// Sends an event, as ``send(_:)`` does, for callers that hold a lock and wake the readers themselves.
    func put(_ event: TranscriptionEvent) -> [Waking] { lock.withLock { isFinished ? [] : deliver(event) } }

    /// Delivers an event, while the lock is held, so that all readers get all events in the same order.
    private func deliver(_ event: TranscriptionEvent) -> [Waking] {
        // Events from several threads may arrive out of order.
        position = Swift.max(position, event.position)
        let event = TranscriptionEvent(event.payload, position: position, sequence: next)
        next += 1
        text.apply(event)
        readers.removeAll { $0.reader == nil }
        return readers.flatMap { $0.reader?.put(event) { self.snapshot } ?? [] }
    }

    /// Ends the sequences of all readers after the events sent so far, and some last ones.
    ///
    /// - Parameter last: Nothing that other threads send comes between or after them.
    package func finish(sending last: [TranscriptionEvent] = []) { putEnd(last).forEach { $0() } }

    /// Ends the sequences, as ``finish(sending:)`` does, for callers that hold a lock and wake the readers themselves.
    func putEnd(_ last: [TranscriptionEvent]) -> [Waking] {
        lock.withLock {
            guard !isFinished else { return [] }
            var wakings = last.flatMap { deliver($0) }
            isFinished = true
            wakings += readers.flatMap { $0.reader?.finish() ?? [] }
            readers = []
            return wakings
        }
    }

    /// Adds a reader, which gets the events from now on and, if some were sent already, a snapshot first.
    package func events(buffering: EventBuffering = .standard) -> TranscriptionEvents {
        lock.withLock {
            let reader = EventReader(buffering)
            // There are no waiters yet.
            if next > 0 { _ = reader.put(snapshot) { self.snapshot } }
            if isFinished { _ = reader.finish() } else { readers.append(WeakReader(reader: reader)) }
            return TranscriptionEvents(reader: reader)
        }
    }

    private var snapshot: TranscriptionEvent {
        TranscriptionEvent(.snapshot(text), position: position, sequence: next - 1)
    }
}

final class EventReader: Sendable {
    private struct Buffer: Sendable {
        var unread = FIFO<TranscriptionEvent>()
        var isFinished = false

        /// The next event, or `.some(nil)` at the end; nil if the reader must wait.
        mutating func next() -> TranscriptionEvent?? {
            if let event = unread.popFirst() { return .some(event) }
            return isFinished ? .some(nil) : nil
        }
    }

    private let limit: Int?
    private let buffer = Monitor(Buffer())

    init(_ buffering: EventBuffering) { limit = buffering.limit }

    var count: Int { buffer.read { $0.unread.count } }

    var waitingCount: Int { buffer.waitingCount }

    /// Adds an event, and returns what wakes the task that waits for it; `snapshot` has all text including that event's.
    func put(_ event: TranscriptionEvent, snapshot: () -> TranscriptionEvent) -> [Waking] {
        buffer.deferredUpdate { buffer in
            guard !buffer.isFinished else { return }
            buffer.unread.append(event)
            if let limit, buffer.unread.count > limit {
                buffer.unread = FIFO(Self.merge(buffer.unread.elements, limit, snapshot))
            }
        }
    }

    func finish() -> [Waking] { buffer.deferredUpdate { $0.isFinished = true } }

    /// The next event, or nil at the end or when the task is cancelled.
    func next() async -> TranscriptionEvent? {
        try? await buffer.wait { buffer -> TranscriptionEvent?? in buffer.next() }
    }

    @available(*, noasync, message: "It blocks the thread: use next().")
    func block(before limit: Date?) -> TranscriptionEvent?? {
        buffer.block(before: limit) { buffer -> TranscriptionEvent?? in buffer.next() }
    }

    /// Makes room: drops levels, then replaced partial text, or replaces all events with one snapshot.
    private static func merge(
        _ events: [TranscriptionEvent], _ limit: Int, _ snapshot: () -> TranscriptionEvent
    ) -> [TranscriptionEvent] {
        var kept = events.filter { $0.kind != .level }
        if kept.count > limit / 2 { kept = withoutReplacedPartials(kept) }
        return kept.count > limit / 2 ? [snapshot()] : kept
    }

    private static func withoutReplacedPartials(_ events: [TranscriptionEvent]) -> [TranscriptionEvent] {
        var isReplaced = false
        var kept: [TranscriptionEvent] = []
        for event in events.reversed() {
            if event.kind == .partial {
                if isReplaced { continue }
                isReplaced = true
            } else if event.kind == .final {
                isReplaced = true
            }
            kept.append(event)
        }
        return kept.reversed()
    }
}
