public import Steno

/// Live transcription for views: observable properties for text, level and state, on the main actor.
///
///     let recognizer = SpeechRecognizer(language: "en")
///     recognizer.start()
///     await view.waitForStopButton()
///     await recognizer.stop()
///     print(recognizer.text)
///
/// In SwiftUI, keep it in `@State`, or before macOS 14 and iOS 17 in `@StateObject`; elsewhere,
/// `withObservationTracking` reports changes. The first session chooses an engine and loads its model; later sessions
/// share the model. A recognizer without references is cancelled.
@MainActor public final class SpeechRecognizer {
    private let factory: TranscriptionEngineFactory
    private let observation = ObservationHook()
    private var values = Values()
    /// The session, from ``start(_:)`` to its end.
    private var work: Task<Void, Never>?
    private var session: Session?
    /// The last change of the language; changes run one after another.
    private var change: Task<Void, Never>?

    /// The part of a session that has an engine.
    private struct Session {
        let runner: LiveSessionRunner
        var engine: any TranscriptionEngine
        var request: EngineRequest
    }

    /// Creates a recognizer without loading anything.
    ///
    /// - Parameters:
    ///   - model: A model's name or the path of its folder, as for `ModelChoice.named(_:)`; nil for the default model
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

    /// Creates a recognizer with a model that is already loaded.
    ///
    /// - Parameters:
    ///   - transcriber: The transcriber with the model.
    ///   - language: The spoken language as a BCP 47 tag such as `de-AT`; nil detects it.
    ///   - task: Whether to transcribe or to translate into English.
    ///   - vocabulary: Names and rare words to expect.
    public convenience init(
        _ transcriber: Transcriber, language: String? = nil, task: TranscriptionTask = .transcribe,
        vocabulary: [String] = []
    ) {
        self.init(
            TranscriptionEngineFactory([ModelEngineProvider(model: transcriber.model)]),
            request: EngineRequest(language: language, task: task, vocabulary: vocabulary))
    }

    package init(_ factory: TranscriptionEngineFactory, request: EngineRequest = EngineRequest()) {
        self.factory = factory
        values.request = request
    }

    deinit {
        change?.cancel()
        work?.cancel()
    }

    // MARK: Properties that a view sets

    /// The spoken language as a BCP 47 tag such as `de-AT`; nil detects it.
    ///
    /// A change also applies to the rest of a running session: its text stays, and no audio is lost. If the engine
    /// cannot change its language, another one takes over. If there is none for the language, the session ends and
    /// ``failure`` says why.
    public var language: String? {
        get { read(\.language, \.request.language) }
        set {
            guard newValue != values.request.language else { return }
            write(\.language) { $0.request.language = newValue }
            if work != nil { changeLanguage() }
        }
    }

    // MARK: Properties that a view shows

    /// The segments of the text: the final ones, followed by the partial one.
    ///
    /// A partial segment keeps its id when it becomes final, so a list does not flicker. Final ones never change,
    /// except that punctuation may join the last one at the end of its utterance.
    public var segments: [LiveSegment] { live.segments }

    /// The final segments, without copying them.
    package var finals: [LiveSegment] { live.finals }

    /// The segments after them that may change.
    package var partials: [LiveSegment] { live.partials }

    /// A number that changes with the text, because comparing the text itself would take longer with every hour.
    package var textVersion: Int { read(\.live, \.textVersion) }

    /// All text, including the partial text at the end.
    public var text: String { live.text }

    /// The final text.
    public var finalText: String { live.finalText }

    /// The last detected language; nil before that, and if a language was given.
    public var detectedLanguage: LanguageDetection? { live.language }

    /// The final text as a transcript, for subtitles or JSON.
    ///
    /// Its language is the session's last one.
    public var transcript: Transcript { live.transcript(language: values.spoken.primaryLanguage) }

    /// The level of the last tenth of a second; nil without audio.
    public private(set) var level: AudioLevel? {
        get { read(\.level, \.level) }
        set { write(\.level) { $0.level = newValue } }
    }

    /// The number of levels received, one per tenth of a second: during silence the level repeats, so ``level`` itself
    /// does not change.
    package private(set) var levelCount: Int {
        get { read(\.levelCount, \.levelCount) }
        set { write(\.levelCount) { $0.levelCount = newValue } }
    }

    /// Whether someone is speaking.
    public private(set) var isSpeaking: Bool {
        get { read(\.isSpeaking, \.isSpeaking) }
        set { write(\.isSpeaking) { $0.isSpeaking = newValue } }
    }

    /// The state of the session: `idle`, `preparing`, `running`, `finishing`, then `finished`, `cancelled` or `failed`.
    public private(set) var state: TranscriptionState {
        get { read(\.state, \.state) }
        set { write(\.state) { $0.state = newValue } }
    }

    /// A sentence for the user about the preparation; nil unless the state is `preparing`.
    public private(set) var preparation: String? {
        get { read(\.preparation, \.preparation) }
        set { write(\.preparation) { $0.preparation = newValue } }
    }

    /// The error, with a code and a message that says what to do; nil without errors.
    public private(set) var failure: TranscriptionFailure? {
        get { read(\.failure, \.failure) }
        set { write(\.failure) { $0.failure = newValue } }
    }

    // MARK: Actions of a view

    /// Starts a session with an empty text; does nothing while one is running.
    ///
    /// It returns immediately; ``state`` and ``failure`` report the outcome.
    /// - Parameter source: Where the audio comes from.
    public func start(_ source: LiveSource = .microphone()) {
        guard work == nil else { return }
        write(\.live) {
            $0.live = LiveTranscript()
            $0.textVersion += 1
        }
        failure = nil
        state = .preparing
        let pace = LivePace(source)
        work = Task { [weak self, factory] in
            var thrown: (any Error)?
            do {
                let (engine, request) = try await Self.makeEngine(factory) {
                    self?.request(pace)
                } progress: { progress in
                    Task { @MainActor in self?.report(progress) }
                }
                let runner = LiveSessionRunner(engine)
                let reading = self?.follow(Session(runner: runner, engine: engine, request: request))
                do { try await runner.run(source.source) } catch { thrown = error }
                await reading?.value
            } catch {
                thrown = error
            }
            self?.end(thrown)
        }
    }

    /// Ends the audio and returns when the last words are final; without any audio, the session just ends.
    public func stop() async {
        if let session { session.runner.stop() } else { work?.cancel() }
        await work?.value
    }

    /// Ends immediately; text that is not final stays visible but no longer changes.
    public func cancel() async {
        work?.cancel()
        await work?.value
    }

    // MARK: The session

    private func report(_ progress: AssetProgress) {
        if state == .preparing, session == nil { preparation = progress.message }
    }

    private func request(_ pace: LivePace) -> EngineRequest {
        var request = values.request
        request.pace = pace
        return request
    }

    /// Makes the engine, and another one if the language has changed meanwhile, since a model may take long to load.
    private static func makeEngine(
        _ factory: TranscriptionEngineFactory, for request: () -> EngineRequest?,
        progress: @escaping AssetProgress.Handler
    ) async throws -> (any TranscriptionEngine, EngineRequest) {
        while let wanted = request() {
            let engine: Result<any TranscriptionEngine, any Error>
            do {
                engine = .success(try await factory.makeEngine(for: wanted, progress: progress).engine)
            } catch {
                engine = .failure(error)
            }
            if Task.isCancelled || request() == wanted { return (try engine.get(), wanted) }
        }
        throw CancellationError()
    }

    /// Applies the events of a session until its end.
    private func follow(_ session: Session) -> Task<Void, Never> {
        self.session = session
        values.spoken = session.request
        let events = session.runner.events()
        return Task { [weak self] in
            for await event in events { self?.apply(event) }
        }
    }

    private func apply(_ event: TranscriptionEvent) {
        switch event.kind {
        case .partial, .final, .utteranceEnd, .cleared, .language, .snapshot:
            write(\.live) { if $0.live.apply(event) { $0.textVersion += 1 } }
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
        (work, session) = (nil, nil)
        (level, isSpeaking, preparation) = (nil, false, nil)
        switch error {
        case nil: if !state.isEnd { state = .finished }
        case is CancellationError: state = .cancelled
        case let error?:
            failure = failure ?? TranscriptionFailure(error)
            // An unplugged microphone ends the session, but its text is complete.
            if state != .finished { state = .failed }
        }
    }

    // MARK: The language

    private func changeLanguage() {
        change = Task { [weak self, factory, change] in
            await change?.value
            guard let session = self?.session, let request = self?.request(session.request.pace),
                request != session.request
            else { return }
            do {
                let engine = try await Self.change(session, to: request, factory)
                self?.didChange(Session(runner: session.runner, engine: engine, request: request))
            } catch {
                self?.fail(session, error)
            }
        }
    }

    /// Makes the engine continue with another request, or replaces it; returns the engine that continues.
    private static func change(
        _ session: Session, to request: EngineRequest, _ factory: TranscriptionEngineFactory
    ) async throws -> any TranscriptionEngine {
        do {
            try await session.engine.update(request.settings)
            return session.engine
        } catch is StenoError {
            let engine = try await factory.makeEngine(for: request).engine
            session.runner.replaceEngine(with: engine)
            return engine
        }
    }

    /// Returns when the last change of the language has reached the engine, or failed.
    package func languageChange() async { await change?.value }

    private func didChange(_ changed: Session) {
        guard session?.runner === changed.runner else { return }
        session = changed
        values.spoken = changed.request
    }

    private func fail(_ failed: Session, _ error: any Error) {
        guard session?.runner === failed.runner, !(error is CancellationError) else { return }
        failure = TranscriptionFailure(error)
        failed.runner.stop()
    }

    // MARK: Observation

    private struct Values {
        /// The request for engines, with the current settings.
        var request = EngineRequest()
        /// The request of the engine that produced the text.
        var spoken = EngineRequest()
        var live = LiveTranscript()
        var textVersion = 0
        var level: AudioLevel?
        var levelCount = 0
        var isSpeaking = false
        var state = TranscriptionState.idle
        var preparation: String?
        var failure: TranscriptionFailure?
    }

    /// The text, from which several properties are computed.
    private var live: LiveTranscript { read(\.live, \.live) }

    private func read<Property, Value>(
        _ property: KeyPath<SpeechRecognizer, Property>, _ value: KeyPath<Values, Value>
    ) -> Value {
        observation.access(self, property)
        return values[keyPath: value]
    }

    private func write<Value>(_ property: KeyPath<SpeechRecognizer, Value>, _ change: (inout Values) -> Void) {
        observation.change(self, property) { change(&values) }
    }
}
