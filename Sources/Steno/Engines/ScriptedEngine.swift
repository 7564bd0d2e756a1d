/// An engine that says what it was told to, at given positions of the audio: for tests and previews of views.
///
/// The events come as the audio is appended, so a test needs no clock, no model and no microphone.
public actor ScriptedEngine: TranscriptionEngine {
    /// What happens, in order.
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

    /// Begins to listen.
    public func start() throws {
        guard state == .idle else {
            throw StenoError(
                .invalidOption, "The engine was started before. An engine hears one recording: make a new one.")
        }
        change(.running)
    }

    /// Takes audio and tells the events it reaches.
    public func append(_ samples: [Float]) throws {
        guard state == .running else {
            throw StenoError(.invalidOption, "The engine does not listen: call start() first, and finish() last.")
        }
        position += samples.count.seconds
        while let next = script.first, next.position <= position {
            continuation.yield(next)
            script.removeFirst()
        }
    }

    /// Tells it at once.
    public func report(_ discontinuity: AudioDiscontinuity) {
        continuation.yield(.discontinuity(discontinuity, position: position))
    }

    /// Tells the rest of the script and ends.
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
