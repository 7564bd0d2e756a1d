import StenoCore

/// The lifecycle of a session: which calls are allowed when, and what they change.
///
/// | from | call | to |
/// |---|---|---|
/// | idle | `start` | preparing |
/// | preparing | `prepared` | running |
/// | preparing, running | `finish` | the same; no more audio is accepted |
/// | running, after `finish` | `heardAll` | finishing |
/// | idle, preparing, running, finishing | `end` | ended: finished, cancelled or failed |
///
/// Methods that change the state return whether they did, and the new state is then reported. `ended` is never left.
/// This is a pure value, so every order of calls can be tested.
package struct SessionLifecycle: Sendable {
    package enum Ending: Sendable {
        /// All text is final.
        case finished
        case cancelled
        case failed(any Error)

        package var state: TranscriptionState {
            switch self {
            case .finished: .finished
            case .cancelled: .cancelled
            case .failed: .failed
            }
        }

        /// The result for callers that wait for the end.
        package var result: Result<Void, any Error> {
            switch self {
            case .finished: .success(())
            case .cancelled: .failure(CancellationError())
            case .failed(let error): .failure(error)
            }
        }
    }

    package private(set) var ending: Ending?
    /// Whether ``finish()`` was called.
    package private(set) var audioHasEnded = false
    private var current = TranscriptionState.idle

    package init() {}

    /// The state that was reported last.
    package var state: TranscriptionState { ending?.state ?? current }

    /// - Throws: When the session was started before.
    package mutating func start() throws {
        switch (ending, current) {
        case (.cancelled, _): throw CancellationError()
        case (nil, .idle): current = .preparing
        default:
            throw StenoError(
                .engineState, "The engine was already started, and an engine transcribes one stream. Make a new one.")
        }
    }

    /// Ends preparing, when everything is allocated; returns false if the session has ended meanwhile.
    package mutating func prepared() -> Bool {
        guard ending == nil, current == .preparing else { return false }
        current = .running
        return true
    }

    /// Throws unless audio and requests are accepted.
    package func checkAccepting() throws {
        if let ending {
            if case .finished = ending { throw Self.audioEnded }
            return try ending.result.get()
        }
        guard current != .idle else { throw Self.notStarted }
        guard !audioHasEnded else { throw Self.audioEnded }
    }

    /// Ends the audio, part of which may not be processed yet; a second call has no effect.
    ///
    /// - Throws: When the session was not started.
    package mutating func finish() throws {
        if ending == nil, current == .idle { throw Self.notStarted }
        audioHasEnded = true
    }

    /// Starts finishing, when all audio was heard and only the last words are still to come.
    package mutating func heardAll() -> Bool {
        guard ending == nil, current == .running, audioHasEnded else { return false }
        current = .finishing
        return true
    }

    /// Ends the session; returns false if it had ended before, since the first ending counts.
    package mutating func end(_ ending: Ending) -> Bool {
        guard self.ending == nil else { return false }
        self.ending = ending
        return true
    }

    private static var notStarted: StenoError {
        StenoError(.engineState, "The engine has not been started: call start() first.")
    }

    private static var audioEnded: StenoError {
        StenoError(
            .engineState, "The audio of this engine has ended: finish() was called. Make a new engine for more audio."
        )
    }
}
