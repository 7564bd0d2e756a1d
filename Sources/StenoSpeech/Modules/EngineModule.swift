import Foundation
import Steno
import StenoCore

/// What the analyzer needs of a module: how its engine works, and what becomes of the engine's events.
protocol EngineModule: SpeechModule {
    /// Which analyzer it belongs to.
    var claim: ModuleClaim { get }
    /// Where its model comes from.
    var environment: SpeechEnvironment { get }
    /// The locale of the speech; nil for a module that needs no model.
    var locale: Locale? { get }

    /// Throws when the module asks for something that no engine can do.
    func check() throws
    /// Sets what the module wants of its engine where the model decodes repeatedly; a streaming model decides itself
    /// when its text is final.
    ///
    /// - Parameter isFile: Whether the audio is a file, so that nobody waits for a text.
    func adjust(_ options: inout LiveOptions, isFile: Bool)
    /// Turns the events of its engine into results, until the last one.
    func read(_ events: TranscriptionEvents, _ session: ModuleSession) async
    /// Ends the results, with the error that ended the session.
    func finish(throwing error: (any Error)?)
}

extension EngineModule {
    func check() throws {}
}

/// Makes sure that a module belongs to one analyzer: its results are one timeline.
final class ModuleClaim: Sendable {
    private let owner = Locked<UUID?>(nil)

    /// Claims the module; false when another analyzer has it, or had it.
    func take(_ id: UUID) -> Bool {
        owner.withLock { owner in
            owner = owner ?? id
            return owner == id
        }
    }

    /// Whether an analyzer has the module.
    func isTaken(by id: UUID) -> Bool { owner.value == id }
}

/// Turns the events of an engine into results.
protocol EventTranslation {
    associatedtype Output: Sendable

    /// The results of an event.
    mutating func results(of event: TranscriptionEvent) -> [Output]
    /// The time before which nothing will change, in seconds from sample 0.
    var finalTime: Double { get }
}

/// What the readers of one analyzer's modules share.
struct ModuleSession: Sendable {
    /// The time of sample 0.
    let origin: AudioTime
    /// The number of the last event that was turned into results.
    let progress: Milestone
    /// Where the module reports how far it is.
    let reportFinalTime: @Sendable (_ seconds: Double) -> Void

    /// Reads the events of an engine to their end.
    ///
    /// - Parameter make: Makes the module's own results.
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
    /// Text is final at the end of its utterance, decoded with all of its context.
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
