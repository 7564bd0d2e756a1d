import StenoCore
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoAppleSpeech

/// The contract of an engine, with tasks that a script answers.
@Suite(.timeLimit(.minutes(60))) struct RecognitionEngineTests {
    /// Syllables: a steady level would soon count as noise.
    private func speech(_ seconds: Double) -> [Float] {
        (0..<Int(seconds * 16_000)).map { $0 % 6_400 < 4_000 ? Float($0 % 80) / 80 - 0.5 : 0 }
    }

    /// Gives an engine speech until it has failed; finalizing waits for what became of a task.
    private func fail(_ engine: any TranscriptionEngine) async throws {
        for _ in 0..<10 {
            try await engine.append(speech(1.5))
            try await engine.finalize(through: nil)
        }
    }

    private func silence(_ seconds: Double) -> [Float] { [Float](repeating: 0, count: Int(seconds * 16_000)) }

    private func engine(_ texts: String...) -> RecognitionEngine {
        RecognitionEngine(TaskedBackend(ScriptedTasks(texts.map { text($0, isFinal: true) })))
    }

    private func run(
        _ engine: RecognitionEngine, _ body: () async throws -> Void
    ) async throws -> (text: LiveTranscript, events: [TranscriptionEvent]) {
        let events = engine.events
        try await engine.start()
        try await body()
        var text = LiveTranscript(), all: [TranscriptionEvent] = []
        for await event in events {
            text.apply(event)
            all.append(event)
        }
        return (text, all)
    }

    @Test func aSessionReportsItsStatesLevelsAndText() async throws {
        let engine = engine("Good morning.")
        let (text, events) = try await run(engine) {
            try await engine.append(silence(1))
            try await engine.append(speech(2))
            try await engine.finish()
        }
        #expect(events.compactMap(\.state) == [.preparing, .running, .finishing, .finished])
        #expect(Set(events.map(\.kind)).isSuperset(of: [.level, .speech, .final, .utteranceEnd]))
        #expect(text.finalText == "Good morning." && text.partialText.isEmpty)
    }

    @Test func callsInTheWrongStateAreRefused() async throws {
        let engine = engine()
        await #expect(throws: StenoError.self) { try await engine.append([0]) }
        await #expect(throws: StenoError.self) { try await engine.finish() }
        try await engine.start()
        await #expect(throws: StenoError.self) { try await engine.start() }
        await #expect(throws: StenoError.self) { try await engine.update(SpeechSettings(language: "de")) }
        try await engine.finish()
        try await engine.finish()
        await #expect(throws: StenoError.self) { try await engine.append([0]) }
    }

    @Test func finalizingEndsTheTaskAndTheSessionContinues() async throws {
        let engine = engine("First.", "Second.")
        let (text, _) = try await run(engine) {
            try await engine.append(speech(3))
            try await engine.finalize(through: nil)
            try await engine.append(speech(3))
            try await engine.finish()
        }
        #expect(text.finalText == "First. Second.")
    }

    @Test func aRecogniserThatFailsEndsTheSessionWithAnErrorAndIsRemembered() async throws {
        let tasks = ScriptedTasks([])
        let failures = FailureMemory()
        let engine = RecognitionEngine(TaskedBackend(tasks)) {
            failures.remember($0, for: EngineRequest(language: "de"))
        }
        let events = engine.events
        try await engine.start()
        let error = await #expect(throws: StenoError.self) { try await fail(engine) }
        #expect(error?.code == .engineUnavailable)
        #expect(tasks.sampleCounts.count == RecognitionTaskPolicy.failureLimit, "no loop of restarts")
        var last: [TranscriptionEvent.Kind] = []
        for await event in events { last.append(event.kind) }
        #expect(last.suffix(2) == [.error, .state])
        #expect(failures.capability(for: EngineRequest(language: "de")) != nil)
        #expect(failures.capability(for: EngineRequest(language: "en")) == nil, "other languages are not affected")
    }

    @Test func theSessionAfterAFailureFallsBackToTheNextEngine() async throws {
        let factory = TranscriptionEngineFactory([FailingProvider(), ScriptedProvider([], name: "spare")])
        let first = try await factory.makeEngine(for: EngineRequest(language: "en"))
        #expect(first.provider == "failing")
        try await first.engine.start()
        await #expect(throws: StenoError.self) { try await fail(first.engine) }
        let second = try await factory.makeEngine(for: EngineRequest(language: "en"))
        #expect(second.provider == "spare")
        #expect(second.fallbackReason?.contains("failing: It failed earlier") == true)
    }

    /// Five minutes in one chunk: a task hears a minute at most.
    @Test func audioThatComesFasterThanTheClockIsHeardWhole() async throws {
        let tasks = ScriptedTasks((1...30).map { text("Part \($0).", isFinal: true) })
        let engine = RecognitionEngine(TaskedBackend(tasks))
        let (heard, events) = try await run(engine) {
            try await engine.append(speech(300))
            try await engine.finish()
        }
        let speeches = events.filter { $0.kind == .speech }.compactMap(\.speechTime)
        #expect(tasks.sampleCounts.count >= 6 && tasks.sampleCounts.reduce(0, +) >= 299 * 16_000)
        #expect(tasks.sampleCounts.allSatisfy { $0 <= 56 * 16_000 })
        #expect(heard.finals.count == tasks.sampleCounts.count)
        #expect(heard.finals.map(\.end).last == 300)
        #expect((speeches.first ?? 300) < 1, "speech has the time of its audio, not of the end of the chunk")
    }

    @Test func finalizingDuringSpeechReturnsAndTheRestFollows() async throws {
        let engine = engine("First.", "Second.", "Third.")
        let (text, _) = try await run(engine) {
            try await engine.append(speech(3))
            async let asked: Void = engine.finalize(through: 4)
            try await engine.append(speech(3))
            try await engine.append(speech(3))
            try await asked
            try await engine.finalize(through: nil)
            try await engine.finish()
        }
        #expect(text.finalText.hasPrefix("First."))
        #expect((text.finals.last?.end ?? 0) >= 4 && text.partials.isEmpty)
    }

    @Test func audioIsCutWhereSomebodyWaitsForItsText() async throws {
        let backend = TaskedBackend(ScriptedTasks(["First.", "Second."].map { text($0, isFinal: true) }))
        let reports = await backend.start()
        let audio = (0..<30).map { index in
            HeardAudio(
                position: index * 1_600, samples: [Float](repeating: 0.1, count: 1_600), isSpeech: true,
                endsRequest: index == 19)
        }
        try await backend.append(audio)
        try await backend.finish()
        var finals: [RecognizedPhrase] = []
        for try await report in reports {
            if case .phrase(let phrase) = report, phrase.isFinal { finals.append(phrase) }
        }
        #expect(finals.map(\.text) == ["First.", "Second."])
        #expect(finals.map(\.start) == [0, 2] && finals.map(\.end) == [2, 3])
    }

    @Test func clearingDuringSpeechKeepsWhatIsSaidAfterwards() async throws {
        let engine = engine("Secret.", "Open.")
        let (text, _) = try await run(engine) {
            try await engine.append(speech(3))
            try await engine.clear()
            try await engine.append(speech(3))
            try await engine.finish()
        }
        #expect(text.finalText.trimmingPrefix(" ") == "Open.")
        #expect((text.finals.first?.start ?? 0) >= 3)
    }

    @Test func cancellingEndsAtOnce() async throws {
        let engine = engine("Never final.")
        let (_, events) = try await run(engine) {
            try await engine.append(speech(3))
            await engine.cancel()
            await engine.cancel()
            await #expect(throws: CancellationError.self) { try await engine.append([0]) }
            await #expect(throws: CancellationError.self) { try await engine.finish() }
        }
        #expect(events.compactMap(\.state).last == .cancelled)
    }

    @Test func cancellingAStartSaysSoWhateverTheRecogniserThrows() async {
        let backend = IdleBackend(starts: false)
        let engine = RecognitionEngine(backend)
        let start = Task { try await engine.start() }
        for await _ in backend.started.stream {}
        await engine.cancel()
        await #expect(throws: CancellationError.self) { try await start.value }
    }

    @Test func aRequestThatIsCancelledLeavesNothing() async throws {
        let backend = IdleBackend()
        let engine = RecognitionEngine(backend)
        try await engine.start()
        let request = Task { try await engine.finalize(through: nil) }
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        // It is the first one.
        backend.reports.continuation.yield(.finalized(1))
        try await engine.finish()
        #expect(await engine.openRequests == 0)
    }

    /// The task never reports its text, so only cancelling ends the waits.
    @Test func aCancelledCallerDoesNotWaitForATask() async throws {
        let engine = RecognitionEngine(TaskedBackend(SilentTasks()))
        try await engine.start()
        try await engine.append(speech(3))
        let request = Task { try await engine.finalize(through: nil) }
        try await waitWhile(await engine.openRequests == 0)
        request.cancel()
        await #expect(throws: CancellationError.self) { try await request.value }
        #expect(await engine.openRequests == 0)
        // The task is ending, so there is room for 20 s.
        let append = Task { try await engine.append(speech(60)) }
        let later = Task { try await engine.finalize(through: 63) }
        try await waitWhile(await engine.openRequests == 0)
        append.cancel()
        await #expect(throws: CancellationError.self) { try await append.value }
        later.cancel()
        await #expect(throws: CancellationError.self) { try await later.value }
        await engine.cancel()
    }

    @Test func everybodyWhoWaitsForATaskIsWokenAtTheEnd() async throws {
        let engine = RecognitionEngine(TaskedBackend(SilentTasks()))
        try await engine.start()
        try await engine.append(speech(3))
        let requests = (0..<3).map { _ in Task { try await engine.finalize(through: nil) } }
        try await waitWhile(await engine.openRequests < requests.count)
        let finish = Task { try await engine.finish() }
        await engine.cancel()
        for task in requests + [finish] {
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func audioThatWasAppendedAlreadyIsDropped() async throws {
        let engine = engine("Once."), samples = speech(1)
        let (_, events) = try await run(engine) {
            try await engine.append(AudioChunk(position: 0, samples: samples))
            try await engine.append(AudioChunk(position: 8_000, samples: samples))
            try await engine.finish()
        }
        #expect(events.map(\.position).max() == 1.5)
    }

    @Test func aGapOfASecondEndsSpeechAndAShortOneDoesNot() {
        var level = SpeechLevel()
        _ = level.append(speech(2))
        #expect(level.isSpeaking)
        var hasEnded = level.skip(1_600)
        #expect(!hasEnded && level.isSpeaking)
        hasEnded = level.skip(16_000)
        #expect(hasEnded && !level.isSpeaking)
        hasEnded = level.skip(16_000)
        #expect(!hasEnded)
    }

    @Test func anEngineThatIsDroppedIsCancelled() async throws {
        var engine: RecognitionEngine? = engine("x")
        let events = engine?.events
        try await engine?.start()
        engine = nil
        if let events { for await _ in events {} }
    }
}

/// Its tasks never report anything.
private struct SilentTasks: RecognitionTasks {
    private struct Run: RunningRecognition {
        func append(_ samples: [Float]) {}
        func end() {}
        func cancel() {}
    }

    func start(_ report: @escaping @Sendable (RecognitionTaskPolicy.Report) -> Void) -> any RunningRecognition { Run() }
}

/// It reports what a test says, or starts until it is cancelled and throws an error of its own then.
private struct IdleBackend: RecognitionBackend {
    var starts = true
    let started = AsyncStream.makeStream(of: Void.self)
    let cancelled = AsyncStream.makeStream(of: Void.self)
    let reports = AsyncThrowingStream<RecognitionReport, any Error>.makeStream()

    func start() async throws -> AsyncThrowingStream<RecognitionReport, any Error> {
        guard !starts else { return reports.stream }
        started.continuation.finish()
        for await _ in cancelled.stream {}
        throw StenoError(.engineUnavailable, "It was stopped.")
    }

    func append(_ audio: [HeardAudio]) {}
    func finalize(through position: Int, id: Int) {}
    func clear() {}
    func finish() { reports.continuation.finish() }

    func cancel() {
        reports.continuation.finish()
        cancelled.continuation.finish()
    }
}

/// Its recogniser can start no task.
private struct FailingProvider: TranscriptionEngineProvider {
    let name = "failing"
    private let failures = FailureMemory()

    func capability(for request: EngineRequest) async -> EngineCapability {
        failures.capability(for: request) ?? .ready
    }

    func prepareAssets(for request: EngineRequest, progress: @escaping AssetProgress.Handler) async throws {}

    func makeEngine(for request: EngineRequest) async throws -> any TranscriptionEngine {
        RecognitionEngine(TaskedBackend(ScriptedTasks([]))) { [failures] in failures.remember($0, for: request) }
    }
}
