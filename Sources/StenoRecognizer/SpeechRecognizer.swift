public import Steno

/// Live transcription for views: text, level and state as properties that a view observes, on the main actor.
///
///     let recognizer = SpeechRecognizer(language: "en")
///     recognizer.start()
///     await view.waitForStopButton()
///     await recognizer.stop()
///     print(recognizer.text)
///
/// SwiftUI keeps it in `@State`, on systems before macOS 14 and iOS 17 in `@StateObject`; elsewhere
/// `withObservationTracking` reports changes. An engine is chosen and its model loaded when the first session starts;
/// later sessions share the model. A recognizer that is dropped is cancelled.
@MainActor public final class SpeechRecognizer {
    /// What is asked of the engine; a change applies to the next session.
    package var request: EngineRequest

    private let factory: TranscriptionEngineFactory
    private let observation = ObservationHook()
    private var values = Values()
    /// The session, from ``start(_:)`` to its end.
    private var work: Task<Void, Never>?
    private var runner: LiveSessionRunner?

    /// Creates a recognizer without loading anything.
    ///
    /// - Parameters:
    ///   - model: A model's name or the path of its folder, as `ModelChoice.named(_:)` takes it; nil is the default model
    ///     of this machine.
    ///   - language: The spoken language as a BCP 47 tag such as `de-AT`; nil detects it.
    ///   - task: Whether to transcribe or to translate into English.
    ///   - vocabulary: Names and rare words to expect.
    public convenience init(
        model: String? = nil, language: String? = nil, task: TranscriptionTask = .transcribe,
        vocabulary: [String] = []
    ) {
        self.init(
            TranscriptionEngineFactory([ModelEngineProvider(model: model)]),
            request: EngineRequest(language: language, task: task, vocabulary: vocabulary))
    }

    /// Creates a recognizer whose engines come from a factory.
    package init(_ factory: TranscriptionEngineFactory, request: EngineRequest = EngineRequest()) {
        self.factory = factory
        self.request = request
    }

    deinit { work?.cancel() }

    // MARK: What a view shows

    /// The segments of the text: those that never change, and last the partial one.
    ///
    /// A partial segment keeps its id when it becomes final, so a list does not flicker.
    public var segments: [TranscriptSegment] { live.segments }

    /// All text, the partial tail included.
    public var text: String { live.displayText }

    /// The text that never changes.
    public var finalText: String { live.finalText }

    /// The language that was detected last; nil before that, and where a language was given.
    public var language: LanguageDetection? { live.language }

    /// The text that never changes as a transcript, to be written as subtitles or JSON.
    public var transcript: Transcript { live.transcript(language: request.language) }

    /// The level of the last tenth of a second; nil while nothing is heard.
    public private(set) var level: AudioLevel? {
        get { read(\.level, \.level) }
        set { write(\.level) { $0.level = newValue } }
    }

    /// The number of levels that have come, a tenth of a second each: silence has the same level again and again, which
    /// is no change of ``level``.
    package private(set) var levelCount: Int {
        get { read(\.levelCount, \.levelCount) }
        set { write(\.levelCount) { $0.levelCount = newValue } }
    }

    /// Whether somebody is speaking.
    public private(set) var isSpeaking: Bool {
        get { read(\.isSpeaking, \.isSpeaking) }
        set { write(\.isSpeaking) { $0.isSpeaking = newValue } }
    }

    /// Where the session is: `idle`, `preparing`, `running`, `finishing`, then `finished`, `cancelled` or `failed`.
    public private(set) var state: TranscriptionState {
        get { read(\.state, \.state) }
        set { write(\.state) { $0.state = newValue } }
    }

    /// What is being prepared, as a sentence for people; nil unless the state is `preparing`.
    public private(set) var preparation: String? {
        get { read(\.preparation, \.preparation) }
        set { write(\.preparation) { $0.preparation = newValue } }
    }

    /// What went wrong: a message that says what to do, and a code; nil while all is well.
    public private(set) var failure: TranscriptionFailure? {
        get { read(\.failure, \.failure) }
        set { write(\.failure) { $0.failure = newValue } }
    }

    // MARK: What a view does

    /// Starts a session with an empty text; does nothing while one is running.
    ///
    /// It returns at once: ``state`` and ``failure`` say what comes of it.
    /// - Parameter source: Where the audio comes from.
    public func start(_ source: LiveSource = .microphone()) {
        guard work == nil else { return }
        write(\.live) { $0.live = TranscriptAccumulator() }
        failure = nil
        state = .preparing
        work = Task { [weak self, factory, request] in
            var thrown: (any Error)?
            do {
                let engine = try await factory.makeEngine(for: request) { progress in
                    Task { @MainActor in self?.report(progress) }
                }.engine
                let runner = LiveSessionRunner(engine)
                let reading = self?.follow(runner)
                do { try await runner.run(source.source) } catch { thrown = error }
                await reading?.value
            } catch {
                thrown = error
            }
            self?.end(thrown)
        }
    }

    /// Ends the audio and returns when the last words are final; before there is any audio, the session just ends.
    public func stop() async {
        if let runner { runner.stop() } else { work?.cancel() }
        await work?.value
    }

    /// Ends at once; text that is not final stays visible and does not change any more.
    public func cancel() async {
        work?.cancel()
        await work?.value
    }

    // MARK: The session

    private func report(_ progress: AssetProgress) {
        if state == .preparing, runner == nil { preparation = progress.message }
    }

    /// Applies the events of a session until its end.
    private func follow(_ runner: LiveSessionRunner) -> Task<Void, Never> {
        self.runner = runner
        let events = runner.events()
        return Task { [weak self] in
            for await event in events { self?.apply(event) }
        }
    }

    private func apply(_ event: TranscriptionEvent) {
        switch event.kind {
        case .partial, .final, .cleared, .language, .snapshot: write(\.live) { _ = $0.live.apply(event) }
        case .level:
            level = event.level
            levelCount += 1
        case .speech: isSpeaking = event.isSpeaking ?? false
        case .error: failure = event.failure
        case .state: state = event.state ?? state
        default: break
        }
        if preparation != nil, state != .preparing { preparation = nil }
    }

    private func end(_ error: (any Error)?) {
        (work, runner) = (nil, nil)
        (level, isSpeaking, preparation) = (nil, false, nil)
        switch error {
        case nil: if !state.isEnd { state = .finished }
        case is CancellationError: state = .cancelled
        case let error?:
            failure = failure ?? TranscriptionFailure(error)
            // A microphone that was unplugged ends a session whose text is whole.
            if state != .finished { state = .failed }
        }
    }

    // MARK: Observation

    private struct Values {
        var live = TranscriptAccumulator()
        var level: AudioLevel?
        var levelCount = 0
        var isSpeaking = false
        var state = TranscriptionState.idle
        var preparation: String?
        var failure: TranscriptionFailure?
    }

    /// The text, from which several properties are computed.
    private var live: TranscriptAccumulator { read(\.live, \.live) }

    private func read<Value>(_ property: KeyPath<SpeechRecognizer, Value>, _ value: KeyPath<Values, Value>) -> Value {
        observation.access(self, property)
        return values[keyPath: value]
    }

    private func write<Value>(_ property: KeyPath<SpeechRecognizer, Value>, _ change: (inout Values) -> Void) {
        observation.change(self, property) { change(&values) }
    }
}
