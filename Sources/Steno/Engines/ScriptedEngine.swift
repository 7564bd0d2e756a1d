/// An engine that emits scripted events at given positions of the audio: for tests and previews.
///
/// Events are emitted as audio is appended, so a test needs no clock, model or microphone.
public actor ScriptedEngine: TranscriptionEngine {
    /// The events, in order.
    public nonisolated let events: AsyncStream<TranscriptionEvent>

    private nonisolated let continuation: AsyncStream<TranscriptionEvent>.Continuation
    private var script: [TranscriptionEvent]
    private var position = 0.0
    private var state = TranscriptionState.idle

    /// Creates an engine with events in the order of their positions.
    public init(_ script: [TranscriptionEvent]) {
        self.script = script
        (events, continuation) = AsyncStream.makeStream(of: TranscriptionEvent.self, bufferingPolicy: .unbounded)
    }

    /// Starts the session.
    public func start() throws {
        guard state == .idle else {
            throw StenoError(
                .invalidOption, "The engine was started before. An engine transcribes one stream: make a new one.")
        }
        change(.running)
    }

    /// Takes audio and emits the events up to its position.
    public func append(_ samples: [Float]) throws {
        guard state == .running else {
            throw StenoError(.invalidOption, "The engine is not running: call start() first, and finish() last.")
        }
        position += samples.count.seconds
        while let next = script.first, next.position <= position {
            continuation.yield(next)
            script.removeFirst()
        }
    }

    /// Emits it at once.
    public func report(_ discontinuity: AudioDiscontinuity) {
        continuation.yield(.discontinuity(discontinuity, position: position))
    }

    /// Emits the rest of the script and ends.
    public func finish() throws {
        guard state == .running else { throw StenoError(.invalidOption, "The engine has not been started.") }
        change(.finishing)
        for event in script { continuation.yield(event) }
        script = []
        change(.finished)
        continuation.finish()
    }

    /// Ends without the rest of the script.
    public func cancel() {
        guard !state.isEnd else { return }
        change(.cancelled)
        continuation.finish()
    }

    private func change(_ new: TranscriptionState) {
        state = new
        continuation.yield(.stateChange(new, position: position))
    }
}
