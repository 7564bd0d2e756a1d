import Foundation
import Steno
import StenoCore

/// The analyzer's view of a module: how its engine is set up, and how the engine's events become results.
protocol EngineModule: SpeechModule {
    /// The analyzer that it belongs to.
    var claim: ModuleClaim { get }
    /// Where its model comes from.
    var environment: SpeechEnvironment { get }
    /// The locale of the speech; nil for a module that needs no model.
    var locale: Locale? { get }

    /// Throws when the module asks for something that no engine can do.
    func check() throws
    /// Adjusts the options of an engine whose model decodes repeatedly; a streaming model decides itself when its text
    /// is final.
    ///
    /// - Parameter isFile: Whether the audio is a file, so that nobody is waiting for text.
    func adjust(_ options: inout LiveOptions, isFile: Bool)
    /// Turns the events of its engine into results, until the last one.
    func read(_ events: TranscriptionEvents, _ session: ModuleSession) async
    /// Ends the results, with the error that ended the session.
    func finish(throwing error: (any Error)?)
}

extension EngineModule {
    func check() throws {}
}

/// Makes sure that a module belongs to only one analyzer, because its results form one timeline.
final class ModuleClaim: Sendable {
    private let owner = Monitor<UUID?>(nil)

    /// Claims the module; returns false if another analyzer has it, or had it.
    func take(_ id: UUID) -> Bool {
        owner.update { owner in
            owner = owner ?? id
            return owner == id
        }
    }

    func isTaken(by id: UUID) -> Bool { owner.current == id }
}

/// Turns the events of an engine into results.
protocol EventTranslation {
    associatedtype Output: Sendable

    mutating func results(of event: TranscriptionEvent) -> [Output]
    /// The time before which nothing will change, in seconds from sample 0.
    var finalTime: Double { get }
}

/// State shared by the readers of one analyzer's modules.
struct ModuleSession: Sendable {
    /// The time of sample 0.
    let origin: AudioTime
    /// The number of the last event that was turned into results.
    let progress: Milestone
    /// Reports the time up to which the module is final.
    let reportFinalTime: @Sendable (_ seconds: Double) -> Void

    /// Reads the events of an engine to their end.
    ///
    /// - Parameter make: Converts an output to the module's own type of result.
    func read<Translation: EventTranslation, Result>(
        _ events: TranscriptionEvents, _ translation: Translation, into channel: ResultChannel<Result>,
        _ make: (Translation.Output) -> Result
    ) async {
        var translation = translation
        var failure: SFSpeechError?
        for await event in events {
            for result in translation.results(of: event) { channel.yield(make(result)) }
            reportFinalTime(translation.finalTime)
            if let found = event.failure, found.isFatal { failure = SFSpeechError(found) }
            progress.reach(event.sequence)
        }
        channel.finish(throwing: failure)
        progress.end()
    }
}

extension LiveOptions {
    /// Makes text final only at the end of its utterance, decoded with its full context.
    ///
    /// In a file only two seconds of silence end an utterance: Whisper base mishears phrases that are cut out, such as
    /// the “Ask not” of an inaugural address between two pauses.
    mutating func finalizeLate(isFile: Bool = false) {
        step = 10
        balance = .accurate
        if isFile { endpoint = max(endpoint, 2) }
        pause = max(pause, endpoint)
    }
}

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

/// A number that only grows, and tasks that wait until it has reached a value.
final class Milestone: Sendable {
    private let reached = Monitor(-1)

    /// The number of waiting tasks; for tests.
    var waiters: Int { reached.waitingCount }

    func reach(_ value: Int) { reached.update { $0 = max($0, value) } }

    /// Releases all waiting tasks, now and later.
    func end() { reach(.max) }

    /// Returns when `target` is reached, or the waiting task is cancelled.
    func wait(for target: Int) async { try? await reached.wait { reached -> Void? in reached >= target ? () : nil } }
}
