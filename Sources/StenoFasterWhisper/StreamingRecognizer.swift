import Steno

/// Transcribes audio while it is being recorded.
///
///     let recognizer = StreamingRecognizer(modelSize: .base)
///     await recognizer.configure(language: "en")
///     for await chunk in microphone { print(await recognizer.addAudioChunk(chunk), terminator: "") }
///     print(await recognizer.stop())
///
/// Text arrives once, in order, and never changes. You can read it in four independent ways: as the result of
/// ``addAudioChunk(_:)`` and ``stop()``, as text (``getNewText()``) or segments with times (``getNewSegments()``) on
/// request, and through a delegate. Only ``stop()`` waits for decoding. A recognizer without references is cancelled.
///
/// Only ``loadModel()`` throws: other failures are in ``error`` and reported to the delegate.
public actor StreamingRecognizer {
    /// A running stream: its engine, and the task that reads the engine's events.
    private struct Stream {
        let engine: ModelEngine
        let reading: Task<Void, Never>
    }

    /// Settings for tests: the pace of the audio, and how the engine works.
    struct Tuning: Sendable {
        var pace = LivePace.realTime
        var adjust: @Sendable (inout LiveOptions) -> Void = { _ in }
    }

    private let source: ModelSource?
    private let tuning: Tuning
    private var transcriber: Transcriber?
    private var stream: Stream?
    private weak var delegate: (any StreamingRecognizerDelegate)?
    private var segments: [TranscriptionSegment] = []
    private var text = ""
    private var polledText = ""
    private var hasText = false
    private var lastEnd: Float = 0
    /// Whether a failure now counts as a failure to start.
    private var isStarting = false
    /// A failure that occurred while there was no delegate.
    private var unheard: RecognitionError?

    /// The last error; nil without errors, and after ``configure(language:task:overflow:)`` succeeds.
    public private(set) var error: RecognitionError?
    /// The audio of the stream that was not transcribed, in seconds; empty unless the overflow policy allows it.
    public private(set) var skippedAudio: [Range<Double>] = []

    /// Creates a recognizer without loading anything.
    ///
    /// - Parameters:
    ///   - modelPath: The folder of a model, which may begin with `~`; nil selects the model by size.
    ///   - modelSize: The size of the model, which is found or downloaded when it is loaded.
    public init(modelPath: String? = nil, modelSize: WhisperModelSize = .medium) {
        source = modelPath.map(ModelSource.path) ?? .size(modelSize)
        tuning = Tuning()
    }

    init(_ transcriber: Transcriber, tuning: Tuning = Tuning()) {
        source = nil
        (self.transcriber, self.tuning) = (transcriber, tuning)
    }

    /// Loads the model, which ``configure(language:task:overflow:)`` does too; once it is loaded, it does nothing.
    ///
    /// - Throws: ``RecognitionError``: `invalidModelPath`, `modelLoadFailed`; `CancellationError`.
    public func loadModel() async throws {
        guard transcriber == nil, let source else { return }
        let loaded = try await source.load(progress: nil)
        transcriber = transcriber ?? loaded
    }

    /// Starts a stream; if one is running, changes the language and the task for the audio from now on.
    ///
    /// It does not throw, as in versions of SwiftFasterWhisper that are called without `try`. If it fails, ``error``
    /// says why: `streamingStartFailed`, `invalidModelPath` or `modelLoadFailed`. A running stream continues as before;
    /// without one, the delegate's `didFinishWithError` receives the error, and no audio is accepted. Code for a
    /// throwing version compiles too, with a warning about its `try`:
    ///
    ///     let recognizer = StreamingRecognizer()
    ///     try await recognizer.configure(language: "en")
    ///     if let error = await recognizer.error { print(error) }
    ///
    /// - Parameters:
    ///   - language: The spoken language as a code or an English name; nil detects it.
    ///   - task: `transcribe`, or `translate` into English.
    ///   - overflow: What happens if transcription cannot keep up; it applies only when a stream starts.
    public func configure(
        language: String? = nil, task: String = "transcribe", overflow: OverflowPolicy = .keepEverything
    ) async {
        do { try await startOrUpdate(language: language, task: task, overflow: overflow) } catch {
            let failure = RecognitionError(start: error)
            if stream == nil { finish(failure) } else { self.error = failure }
        }
    }

    /// Sets the delegate that receives the text; the recognizer keeps no strong reference to it.
    public func setDelegate(_ delegate: sending (any StreamingRecognizerDelegate)?) { self.delegate = delegate }

    /// Adds audio, and returns the text that became final since the last call.
    ///
    /// It returns as soon as the audio is buffered. It waits only if five minutes of audio are queued on a slow
    /// machine; nothing is dropped unless the overflow policy allows it.
    /// - Parameter chunk: 16 kHz, mono, from −1 to 1; any number of samples, including none. Values that are not finite
    ///   count as silence.
    /// - Returns: The new text; concatenated, it is the whole text. It is empty if there is none, or if no stream is
    ///   running, which ``error`` and the delegate report.
    @discardableResult
    public func addAudioChunk(_ chunk: [Float]) async -> String {
        if let engine = stream?.engine {
            do {
                try await engine.append(chunk.allSatisfy(\.isFinite) ? chunk : chunk.map { $0.isFinite ? $0 : 0 })
            } catch {
                // The last of the engine's events reports why it ended.
            }
        } else if error == nil {
            finish(.streamingNotActive)
        } else if let unheard {
            finish(unheard)
        }
        return takeText()
    }

    /// The segments that became final since the last call; it never waits.
    public func getNewSegments() -> [TranscriptionSegment] {
        defer { segments = [] }
        return segments
    }

    /// The text that became final since the last call, even if ``addAudioChunk(_:)`` has already returned it; it never
    /// waits.
    public func getNewText() -> String {
        defer { polledText = "" }
        return polledText
    }

    /// Ends the stream and returns when all of its audio has been transcribed, even if the task is cancelled.
    ///
    /// - Returns: The text since the last ``addAudioChunk(_:)``; the last segments are in ``getNewSegments()``.
    @discardableResult
    public func stop() async -> String {
        guard let stream else { return takeText() }
        // In its own task: cancelling the caller's would cancel the engine, and the last words would be lost.
        _ = await Task { try await stream.engine.finish() }.result
        await stream.reading.value
        if self.stream?.engine === stream.engine { self.stream = nil }
        return takeText()
    }

    /// The engine's work so far; nil unless a stream is running.
    var statistics: LiveStatistics? { stream?.engine.statistics }

    private func startOrUpdate(language: String?, task: String, overflow: OverflowPolicy) async throws {
        guard let task = TranscriptionTask(rawValue: task) else {
            throw RecognitionError.streamingStartFailed(
                "There is no task “\(task)”. The tasks are “transcribe” and “translate”.")
        }
        try await loadModel()
        guard let transcriber else { throw RecognitionError.modelNotLoaded }
        if let stream {
            try await stream.engine.update(SpeechSettings(language: language, task: task))
            error = nil
        } else {
            var options = LiveOptions(language: language, task: task)
            options.sheddingLag = overflow.sheddingLag
            tuning.adjust(&options)
            await start(try ModelEngine(model: transcriber.model, options: options, pace: tuning.pace))
        }
    }

    private func start(_ engine: ModelEngine) async {
        let events = engine.events(buffering: .unbounded)
        let reading = Task { [weak self] in for await event in events { await self?.apply(event) } }
        // Audio may arrive while the engine allocates memory; the engine queues it.
        stream = Stream(engine: engine, reading: reading)
        (error, unheard, skippedAudio, hasText) = (nil, nil, [], false)
        isStarting = true
        do { try await engine.start() } catch {
            // The last event has already been reported to the delegate.
            await reading.value
            stream = nil
            self.error = RecognitionError(start: error)
        }
        isStarting = false
    }

    private func apply(_ event: TranscriptionEvent) {
        if event.kind == .final { add(event) }
        if event.kind == .utteranceEnd { add(mark: event.text) }
        if event.skipReason == .overload, let span = event.skipped {
            skippedAudio.append(span)
            delegate?.recognizer(self, didSkipAudio: span)
        }
        if let failure = event.failure, failure.isFatal {
            error = isStarting ? .streamingStartFailed(failure.message) : .recognitionFailed(failure.message)
        }
        if let state = event.state, state.isEnd {
            if state == .failed { stream = nil }
            finish(state == .failed ? error : nil)
        }
    }

    private func add(_ event: TranscriptionEvent) {
        let new = event.segments.map { TranscriptionSegment(text: $0.text, start: Float($0.start), end: Float($0.end)) }
        segments += new
        lastEnd = new.last?.end ?? lastEnd
        add(text: hasText ? event.text : String(event.text.trimmingPrefix(" ")))
        hasText = true
        delegate?.recognizer(self, didReceiveSegments: new)
    }

    /// Adds punctuation after the last word.
    ///
    /// It is appended to the word's segment; text that the delegate has or that was fetched never changes, so there it
    /// becomes a segment without length.
    private func add(mark: String) {
        guard !mark.isEmpty, hasText else { return }
        add(text: mark)
        let alone = TranscriptionSegment(text: mark, start: lastEnd, end: lastEnd)
        if let last = segments.popLast() {
            segments.append(TranscriptionSegment(text: last.text + mark, start: last.start, end: last.end))
        } else {
            segments.append(alone)
        }
        delegate?.recognizer(self, didReceiveSegments: [alone])
    }

    private func add(text new: String) {
        text += new
        polledText += new
    }

    private func finish(_ error: RecognitionError?) {
        if let error { self.error = error }
        unheard = delegate == nil ? error : nil
        delegate?.recognizer(self, didFinishWithError: error)
    }

    private func takeText() -> String {
        defer { text = "" }
        return text
    }
}

/// Receives the text of a ``StreamingRecognizer`` as it becomes final.
///
/// The recognizer keeps no strong reference to its delegate. The methods are called in order, on any thread, and must
/// return soon.
public protocol StreamingRecognizerDelegate: AnyObject {
    /// New text, which never changes and comes once.
    func recognizer(_ recognizer: StreamingRecognizer, didReceiveSegments segments: [TranscriptionSegment])

    /// The stream has ended: with nil after `stop()`, otherwise with what ended it.
    ///
    /// Audio that was added when no stream was running is reported here too, as
    /// ``RecognitionError/streamingNotActive``.
    func recognizer(_ recognizer: StreamingRecognizer, didFinishWithError error: (any Error)?)

    /// Audio that was not transcribed, in seconds, as ``OverflowPolicy/skipQuietest(whenBehind:)`` allows; implementing
    /// it is optional.
    func recognizer(_ recognizer: StreamingRecognizer, didSkipAudio seconds: Range<Double>)
}

extension StreamingRecognizerDelegate {
    /// Does nothing.
    public func recognizer(_ recognizer: StreamingRecognizer, didSkipAudio seconds: Range<Double>) {}
}

/// What happens to audio if transcription cannot keep up.
public enum OverflowPolicy: Sendable, Hashable {
    /// Everything is transcribed, however late; this is the default.
    case keepEverything
    /// While the text is more than this many seconds behind, the quietest waiting utterance is skipped.
    ///
    /// Skipped audio is reported (``StreamingRecognizer/skippedAudio`` and the delegate).
    case skipQuietest(whenBehind: Double)

    /// The core's option: the lag in seconds above which audio is skipped.
    var sheddingLag: Double? {
        switch self {
        case .keepEverything: nil
        case .skipQuietest(let seconds): seconds
        }
    }
}
