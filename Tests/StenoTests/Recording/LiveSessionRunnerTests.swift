import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// A session from its source to its files: whatever ends it, nothing is lost.
@Suite(.timeLimit(.minutes(60))) struct LiveSessionRunnerTests {
    private let folder = TemporaryFolder.ofSuite()
    private var transcript: URL { folder.url.appendingPathComponent("a.txt") }
    private var audio: URL { folder.url.appendingPathComponent("a.wav") }

    /// A word becomes final with each second of audio, and a last one with the end of the session.
    private func script(_ words: String..., last: String? = nil) -> ScriptedEngine {
        var speaker = SpokenWords()
        return ScriptedEngine(
            (words + [last].compactMap(\.self)).enumerated().map { second, word in
                speaker.time = Double(second)
                let event = speaker.final(word)
                let position = second < words.count ? Double(second) + 0.9 : 99
                return .init(.final(text: event.text, segments: event.segments), position: position)
            })
    }

    private func engine() -> ScriptedEngine { script("One", "two", "three.", last: "Four.") }

    private func runner(_ engine: any TranscriptionEngine) throws -> LiveSessionRunner {
        LiveSessionRunner(engine, recorder: try LiveRecorder(audio), transcript: try LiveTranscriptWriter([transcript]))
    }

    private func text() throws -> String { try String(contentsOf: transcript, encoding: .utf8) }
    private func seconds() throws -> Double? { try AudioFile.open(audio).duration }

    private func run(
        _ runner: LiveSessionRunner, _ microphone: Microphone, onEvent: (TranscriptionEvent) async -> Void = { _ in }
    ) async -> (events: [TranscriptionEvent], outcome: Result<Void, any Error>) {
        let events = runner.events(buffering: .unbounded)
        let running = Task { try await runner.run(microphone) }
        var all: [TranscriptionEvent] = []
        for await event in events {
            all.append(event)
            await onEvent(event)
        }
        return (all, await running.result)
    }

    enum Ending: CaseIterable {
        case audio, stop, unplugging
    }

    /// The last words are transcribed and kept, whatever ends the audio; an error is reported, and thrown.
    @Test(arguments: Ending.allCases) func theEndOfTheAudioFinishesTheSession(ending: Ending) async throws {
        let runner = try runner(engine())
        let microphone = Microphone {
            $0.say(0..<3)
            if ending == .audio { $0.close() }
            if ending == .unplugging { $0.unplug() }
        }
        let (all, outcome) = await run(runner, microphone) { event in
            if ending == .stop, event.text == " three." { runner.stop() }
        }
        if ending == .unplugging { expectError(.captureFailed) { try outcome.get() } } else { try outcome.get() }
        #expect(all.compactMap(\.failure).map(\.message) == (ending == .unplugging ? ["The microphone is gone."] : []))
        #expect(all.map(\.sequence) == Array(0..<all.count))
        #expect(all.compactMap(\.state) == [.preparing, .running, .finishing, .finished])
        #expect(all.last?.state == .finished)
        #expect(try text() == "One two three. Four.\n" && seconds() == 3)
        #expect(runner.recording?.duration == 3)
    }

    /// One session to its readers and files: ids, utterances and times count on, and no audio is lost.
    @Test func anotherEngineTakesOverInTheMiddle() async throws {
        let runner = try runner(script("One", "two.", "Late."))
        let microphone = Microphone { $0.say(0..<2) }
        let (all, outcome) = await run(runner, microphone) { event in
            guard event.text == " two." else { return }
            runner.replaceEngine(with: script("Drei"))
            microphone.say(2..<3)
            microphone.close()
        }
        try outcome.get()
        #expect(all.compactMap(\.state) == [.preparing, .running, .finishing, .finished])
        #expect(all.map(\.sequence) == Array(0..<all.count))
        let finals = all.flatMap { $0.kind == .final ? $0.segments : [] }
        #expect(finals.map(\.text) == [" One", " two.", " Late.", " Drei"])
        #expect(finals.map(\.id) == [0, 1, 2, 3] && finals.map(\.utterance) == [0, 0, 0, 1])
        #expect(finals.last?.start == 2 && all.last?.position ?? 0 >= 2.9)
        #expect(try text() == "One two. Late.\nDrei\n" && seconds() == 3)
    }

    /// The session ends as it would with that engine alone.
    @Test func aSuccessorThatFailsEndsTheSession() async throws {
        let runner = try runner(script("One"))
        let microphone = Microphone { $0.say(0..<1) }
        let (all, outcome) = await run(runner, microphone) { event in
            guard event.text == " One" else { return }
            runner.replaceEngine(with: FailingEngine())
            microphone.say(1..<2)
        }
        let error = #expect(throws: StenoError.self) { try outcome.get() }
        #expect(error?.code == .outOfMemory && all.compactMap(\.state) == [.preparing, .running, .failed])
        #expect(try text() == "One\nHeard\n" && seconds() == 2)
    }

    /// Later audio goes to the successor, whatever becomes of the engine before it.
    @Test func anEngineThatFailsWhileASuccessorWaitsEndsNothing() async throws {
        let engine = FailingEngine(atOnce: false)
        let runner = try runner(engine)
        let microphone = Microphone { $0.say(0..<1) }
        let (all, outcome) = await run(runner, microphone) { event in
            guard event.text == " Heard" else { return }
            runner.replaceEngine(with: script("Drei"))
            engine.fail()
            // So that the failure is noticed before the next audio.
            for _ in 0..<1000 { await Task.yield() }
            microphone.say(1..<2)
            microphone.close()
        }
        try outcome.get()
        #expect(all.last?.state == .finished && all.compactMap(\.failure).map(\.isFatal) == [false])
        #expect(try text() == "Heard\nDrei\n" && seconds() == 2)
    }

    /// A successor that is not needed is not started.
    @Test func aSuccessorWithoutAudioIsNotStarted() async throws {
        let runner = try runner(script("One"))
        let unused = script("Never")
        let (_, outcome) = await run(runner, Microphone.saying(0..<1)) { event in
            if event.state == .finishing { runner.replaceEngine(with: unused) }
        }
        try outcome.get()
        #expect(try text() == "One\n")
        try await unused.start()
    }

    /// A recording begins at 0, and so does its text, wherever the session's own times begin.
    @Test func filesOfAContinuedSessionHaveTheirRecordingsTimes() async throws {
        let subtitles = folder.url.appendingPathComponent("a.srt")
        let runner = LiveSessionRunner(
            script("One."), recorder: try LiveRecorder(audio), transcript: try LiveTranscriptWriter([subtitles]),
            start: SessionStart(time: 600, segment: 7, utterance: 3))
        let (events, outcome) = await run(runner, Microphone.saying(0..<2))
        try outcome.get()
        let finals = events.filter { $0.kind == .final }.flatMap(\.segments)
        #expect(finals.map(\.start) == [600] && finals.map(\.id) == [7] && finals.map(\.utterance) == [3])
        #expect(try String(contentsOf: subtitles, encoding: .utf8).contains("00:00:00,000 --> "))
    }

    /// Even while the source is being opened.
    @Test(arguments: [false, true]) func aStopBeforeTheAudioLeavesNoFile(opening: Bool) async throws {
        let runner = try runner(engine())
        if !opening { runner.stop() }
        let (events, outcome) = await run(runner, Microphone { _ in runner.stop() })
        try outcome.get()
        #expect(events.last?.state == .cancelled)
        #expect(try folder.names() == [])
    }

    /// The second Ctrl-C, while the last words take their time.
    @Test func cancellingEndsAFinishingSession() async throws {
        let runner = try runner(SlowEngine())
        let (_, outcome) = await run(runner, Microphone { $0.say(0..<2) }) { event in
            if event.kind == .final { runner.stop() }
            if event.state == .finishing { runner.cancel() }
        }
        #expect(throws: CancellationError.self) { try outcome.get() }
        #expect(try text() == "Heard\n" && seconds() == 2)
    }

    /// The engine fails after a second of audio, and no more audio comes: nobody waits for the microphone.
    @Test func anEngineThatFailsEndsASilentSession() async throws {
        let (events, outcome) = await run(try runner(FailingEngine()), Microphone { $0.say(0..<1) })
        let error = #expect(throws: StenoError.self) { try outcome.get() }
        #expect(error?.code == .outOfMemory && events.last?.state == .failed)
        #expect(try text() == "Heard\n" && seconds() == 1)
    }

    /// An engine that ends by itself after its first audio, or when a test says so.
    private final class FailingEngine: PartialEngine {
        let broadcast = TranscriptionEventBroadcast()
        private let failsAtOnce: Bool

        init(atOnce: Bool = true) { failsAtOnce = atOnce }

        func append(_ chunk: AudioChunk) async throws {
            var speaker = SpokenWords()
            broadcast.send(speaker.final("Heard"))
            if failsAtOnce { fail() }
        }
        func fail() {
            let failure = TranscriptionFailure("There is no memory left.", code: .outOfMemory)
            broadcast.finish(sending: [.init(.error(failure), position: 1), .init(.state(.failed), position: 1)])
        }
        func finish() async throws { throw StenoError(.outOfMemory, "There is no memory left.") }
        func cancel() async {}
    }

    /// An engine whose last words never come.
    private final class SlowEngine: PartialEngine {
        let broadcast = TranscriptionEventBroadcast()
        private let isCancelled = AsyncGate()

        func append(_ chunk: AudioChunk) async throws {
            var speaker = SpokenWords()
            if chunk.position > 0 { broadcast.send(speaker.final("Heard")) }
        }
        func finish() async throws {
            broadcast.send(.init(.state(.finishing), position: 2))
            await isCancelled.wait()
            throw CancellationError()
        }
        func cancel() async {
            broadcast.finish(sending: [.init(.state(.cancelled), position: 2)])
            isCancelled.open()
        }
    }

    /// Final text is in the files, which are closed.
    @Test(arguments: [false, true]) func cancellingKeepsFinalText(task: Bool) async throws {
        let runner = try runner(engine())
        let events = runner.events(buffering: .unbounded)
        let microphone = Microphone { $0.say(0..<2) }
        let run = Task { try await runner.run(microphone) }
        var state: TranscriptionState?
        for await event in events {
            state = event.state ?? state
            guard event.text == " two" else { continue }
            if task { run.cancel() } else { runner.cancel() }
        }
        #expect(state == .cancelled)
        await #expect(throws: CancellationError.self) { try await run.value }
        #expect(try text() == "One two\n" && seconds() == 2)
    }

    @Test func aMissingMicrophoneLeavesNoFile() async throws {
        let missing = StenoError(.captureUnavailable, "There is no microphone.")
        let (all, outcome) = await run(try runner(engine()), Microphone(error: missing))
        expectError(.captureUnavailable) { try outcome.get() }
        #expect(all.last?.state == .failed && all.compactMap(\.failure).map(\.message) == [missing.message])
        #expect(try folder.names() == [])
    }

    /// A session without its files is still a session; their failures come before its end.
    @Test func failingFilesAreEventsAndEndNothing() async throws {
        let transcript = try LiveTranscriptWriter(
            [transcript], subtitles: .readable, language: nil, overwriting: false
        ) { _, _, _ in throw StenoError(.outputFailed, "No space for text") }
        let recorder = LiveRecorder(audio, overwriting: false) { _, _ in
            throw StenoError(.outputFailed, "No space for audio")
        }
        let runner = LiveSessionRunner(engine(), recorder: recorder, transcript: transcript)
        let (all, outcome) = await run(runner, Microphone.saying(0..<3))
        try outcome.get()
        #expect(Set(all.compactMap(\.failure).map(\.message)) == ["No space for text", "No space for audio"])
        #expect(all.compactMap(\.failure).allSatisfy { !$0.isFatal })
        #expect(all.filter { $0.kind == .final }.map(\.text).joined() == " One two three. Four.")
        #expect(all.last?.state == .finished)
        #expect(runner.recording?.lost == 3)
    }
}

/// An engine of which a test writes only what it is about.
private protocol PartialEngine: TranscriptionEngine {
    var broadcast: TranscriptionEventBroadcast { get }
}

extension PartialEngine {
    func events(buffering: EventBuffering) -> TranscriptionEvents { broadcast.events(buffering: buffering) }
    func start() async throws { broadcast.send(SpokenWords.audio) }
    func append(_ samples: [Float]) async throws {}
    func finalize(through seconds: Double?) async throws {}
    func clear() async throws {}
    func update(_ settings: SpeechSettings) async throws {}
}
