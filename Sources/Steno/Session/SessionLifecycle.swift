import StenoCore

/// The lifecycle of a session: which call is allowed when, and what it changes.
///
/// | from | call | to |
/// |---|---|---|
/// | idle | `start` | preparing |
/// | preparing | `prepared` | running, or finishing if `finish` was called meanwhile |
/// | preparing, running | `finish` | finishing (from preparing as soon as it is prepared) |
/// | idle, preparing, running, finishing | `end` | ended: finished, cancelled or failed |
///
/// It never leaves `ended`. A pure value, so every order of calls can be tested.
struct SessionLifecycle: Sendable {
    /// How a session ended.
    enum Ending: Sendable {
        /// All text is final.
        case finished
        case cancelled
        case failed(any Error)

        /// The state that is reported.
        var state: TranscriptionState {
            switch self {
            case .finished: .finished
            case .cancelled: .cancelled
            case .failed: .failed
            }
        }

        /// What callers who wait for the end get.
        var result: Result<Void, any Error> {
            switch self {
            case .finished: .success(())
            case .cancelled: .failure(CancellationError())
            case .failed(let error): .failure(error)
            }
        }
    }

    /// The ending, once the session has ended.
    private(set) var ending: Ending?
    private var current = TranscriptionState.idle
    /// Whether ``finish()`` was called.
    private(set) var audioHasEnded = false

    /// The state that was reported last.
    var state: TranscriptionState { ending?.state ?? current }

    /// Starts preparing.
    ///
    /// - Throws: When the session was started before.
    mutating func start() throws {
        switch (ending, current) {
        case (.cancelled, _): throw CancellationError()
        case (nil, .idle): current = .preparing
        default:
            throw StenoError(
                .invalidOption, "The engine was started before. An engine transcribes one stream: make a new one.")
        }
    }

    /// Everything is allocated: returns the states to report, in order; none if the session has ended meanwhile.
    mutating func prepared() -> [TranscriptionState] {
        guard ending == nil, current == .preparing else { return [] }
        current = audioHasEnded ? .finishing : .running
        return audioHasEnded ? [.running, .finishing] : [.running]
    }

    /// Throws unless audio and requests are accepted.
    func checkAccepting() throws {
        if let ending {
            if case .finished = ending { throw Self.audioEnded }
            return try ending.result.get()
        }
        guard current != .idle else {
            throw StenoError(.invalidOption, "The engine has not been started: call start() first.")
        }
        guard !audioHasEnded else { throw Self.audioEnded }
    }

    /// Ends the audio: returns the states to report; a second call changes nothing.
    ///
    /// - Throws: When the session was not started.
    mutating func finish() throws -> [TranscriptionState] {
        guard ending == nil else { return [] }
        guard current != .idle else {
            throw StenoError(.invalidOption, "The engine has not been started: call start() first.")
        }
        guard !audioHasEnded else { return [] }
        audioHasEnded = true
        guard current == .running else { return [] }
        current = .finishing
        return [.finishing]
    }

    /// Ends the session; returns whether this was the call that did, since the first ending counts.
    mutating func end(_ ending: Ending) -> Bool {
        guard self.ending == nil else { return false }
        self.ending = ending
        return true
    }

    private static var audioEnded: StenoError {
        StenoError(
            .invalidOption, "The audio of this engine has ended: finish() was called. Make a new engine for more audio."
        )
    }
}
