import Steno
import StenoCore

/// The results of a module, in order; the sequence ends when the session is finished.
///
/// Results are buffered until they are read. Loops in several tasks share them: each result goes to the loop that asks
/// first. If the session fails, the sequence throws its error after the earlier results.
public struct ModuleResults<Element: Sendable>: AsyncSequence, Sendable {
    /// Iterates over the results.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let channel: ResultChannel<Element>

        /// The next result, or nil at the end.
        ///
        /// - Throws: The ``SFSpeechError`` that ended the session; `CancellationError` if the reading task is
        ///   cancelled.
        public mutating func next() async throws -> Element? { try await channel.next() }
    }

    let channel: ResultChannel<Element>

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(channel: channel) }
}

/// The unread results of a module, and the readers waiting for the next one.
final class ResultChannel<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var unread = FIFO<Element>()
        var ending: Result<Void, any Error>?

        /// The next result, or the end; nil if the reader must wait.
        mutating func next() -> Result<Element?, any Error>? {
            if let element = unread.popFirst() { return .success(element) }
            return ending.map { ending in ending.map { nil } }
        }
    }

    private let state = Monitor(State())

    var unreadCount: Int { state.read { $0.unread.count } }

    /// Adds a result; after the end it is ignored.
    func yield(_ result: Element) {
        state.update { if $0.ending == nil { $0.unread.append(result) } }
    }

    /// Ends the sequence after the results so far; the first end counts.
    func finish(throwing error: (any Error)? = nil) {
        let ending: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
        state.update { if $0.ending == nil { $0.ending = ending } }
    }

    func next() async throws -> Element? {
        let result = try await state.wait { state -> Result<Element?, any Error>? in state.next() }
        return try result.get()
    }
}
