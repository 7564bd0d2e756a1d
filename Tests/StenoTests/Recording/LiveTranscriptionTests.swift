import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// A session that owns its source and its engine.
@Suite(.timeLimit(.minutes(60))) struct LiveTranscriptionTests {
    private let transcriber = Transcriber(model: SecondFamilyModel())
    private let options = LiveOptions(language: "en").with { $0.detector = .energy }

    @Test func stoppingFinishesAndTheEventsEnd() async throws {
        let microphone = Microphone()
        let session = try await transcriber.live(LiveSource(microphone), options: options)
        let events = session.events(buffering: .unbounded)
        microphone.say(0..<2)
        try await session.stop()
        #expect(await collect(events).last?.state == .finished)
        #expect(await collect(session.events).count == 1, "a late reader gets the snapshot and the end")
        try await session.stop()
    }

    @Test func aReaderFromTheCallMissesNothing() async throws {
        let (session, events) = try await transcriber.live(
            LiveSource(Microphone()), options: options, buffering: .unbounded)
        try await session.stop()
        let all = await collect(events)
        #expect(all.map(\.sequence) == Array(0..<all.count) && all.allSatisfy { $0.snapshot == nil })
        #expect(all.last?.state == .finished)
    }

    @Test func cancellingEndsAtOnce() async throws {
        let session = try await transcriber.live(LiveSource(Microphone()), options: options)
        let events = session.events
        await session.cancel()
        #expect(await collect(events).last?.snapshotOrState == .cancelled)
        await #expect(throws: CancellationError.self) { try await session.stop() }
        let error = await #expect(throws: (any Error).self) { try await session.finalize() }
        #expect(error is CancellationError || (error as? StenoError)?.code == .engineState)
    }

    private func session(
        _ engine: ScriptedEngine, _ microphone: Microphone = Microphone(), settings: SpeechSettings = SpeechSettings(),
        start: SessionStart = SessionStart()
    ) async throws -> LiveTranscription {
        try await LiveTranscription(
            engine, source: microphone, runner: LiveSessionRunner(engine, start: start), settings: settings)
    }

    /// Each update changes what the one before left.
    @Test func concurrentUpdatesAllCount() async throws {
        let engine = ScriptedEngine([])
        let session = try await session(engine)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<64 { group.addTask { try await session.update { $0.vocabulary.append("\(number)") } } }
            try await group.waitForAll()
        }
        #expect(await engine.settings?.vocabulary.count == 64)
        try await session.stop()
    }

    @Test func anUpdateKeepsWhatItDoesNotChange() async throws {
        let engine = ScriptedEngine([])
        let session = try await session(engine, settings: SpeechSettings(language: "en", vocabulary: ["Steno"]))
        try await session.update { $0.language = "de" }
        #expect(await engine.settings == SpeechSettings(language: "de", vocabulary: ["Steno"]))
        try await session.update { $0.task = .translate }
        #expect(await engine.settings == SpeechSettings(language: "de", task: .translate, vocabulary: ["Steno"]))
        try await session.stop()
    }

    /// Settings that the model refuses are not part of the next update either.
    @Test func anUpdateThatFailsChangesNothing() async throws {
        let session = try await transcriber.live(LiveSource(Microphone()), options: options)
        await expectAsyncError(.unknownLanguage) { try await session.update { $0.language = "klingon" } }
        try await session.update { $0.vocabulary = ["Steno"] }
        try await session.stop()
    }

    @Test func aSourceThatFailsToStartFailsTheCall() async throws {
        let source = LiveSource(Microphone(error: StenoError(.permissionDenied, "Not allowed.")))
        await expectAsyncError(.permissionDenied) { try await transcriber.live(source, options: options) }
    }

    @Test func aSourceThatFailsLaterFinishesTheSession() async throws {
        let microphone = Microphone()
        let session = try await transcriber.live(LiveSource(microphone), options: options)
        let events = session.events(buffering: .unbounded)
        microphone.say(0..<1)
        microphone.unplug()
        let all = await collect(events)
        #expect(all.compactMap(\.failure).map(\.message) == ["The microphone is gone."])
        #expect(all.last?.state == .finished)
        await expectAsyncError(.captureFailed) { try await session.wait() }
    }

    @Test func droppingTheSessionEndsIt() async throws {
        var session: LiveTranscription? = try await transcriber.live(LiveSource(Microphone()), options: options)
        let events = try #require(session).events
        session = nil
        #expect(await collect(events).last?.snapshotOrState == .cancelled)
    }

    @Test func aFileIsReadToItsEndByWhoeverReadsTheEvents() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("speech.wav")
        try AudioFile.write(samples: [0, 1].flatMap { second($0).samples }, to: file)
        // As in `for await event in try await transcriber.live(.file(file)).events`, where nobody else holds the session.
        var session: LiveTranscription? = try await transcriber.live(.file(file), options: options)
        let events = try #require(session).events
        session = nil
        #expect(await collect(events).last?.snapshotOrState == .finished)
    }

    @Test func aContinuedSessionCountsOn() async throws {
        var previous = LiveTranscript()
        var words = SpokenWords()
        words.utterance = 4
        words.time = 9
        previous.apply(words.final("Before that."))
        previous.apply(SpokenWords.audio)
        let engine = ScriptedEngine([
            .init(.speech(isSpeaking: true, time: 1), position: 1),
            .init(.final(text: " Now", segments: [liveSegment(0, " Now", 1)]), position: 99),
        ])
        let microphone = Microphone()
        let start = SessionStart(time: previous.position, segment: 1, utterance: 5)
        let session = try await session(engine, microphone, start: start)
        let events = session.events(buffering: .unbounded)
        microphone.say(0..<2)
        try await session.stop()
        for await event in events { previous.apply(event) }
        #expect(previous.finals.map(\.id) == [0, 1])
        #expect(previous.finals.last?.utterance == 5 && previous.finals.last?.start == 11)
        #expect(previous.finals.last?.words.first?.start == 11 && previous.finalText == "Before that. Now")
    }
}

extension TranscriptionEvent {
    /// The state that an event reports, or that of a snapshot.
    fileprivate var snapshotOrState: TranscriptionState? { state ?? snapshot?.state }
}
