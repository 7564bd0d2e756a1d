import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// The state machine of a session, driven through every order of calls, with failures of each part.
///
/// Each second of its audio has one word. The time limit only turns a deadlock into a failure.
@Suite(.timeLimit(.minutes(60))) struct LiveSessionTests {
    @Test(arguments: ScriptedSession.Fault.passing)
    func everyOrderOfCallsEndsOnce(fault: ScriptedSession.Fault) async throws {
        // Before the start all calls but one are refused, so that three in a row show what can happen.
        let (three, four) = (Self.sequences(length: 3), Self.sequences(length: 4))
        for sequence in isLong ? four : three.filter({ $0[0] != .start }) + four.filter({ $0[0] == .start }) {
            try await ScriptedSession(fault: fault).run(sequence)
        }
    }

    /// The same with the decoder on its own thread and random sequences, some of them long.
    @Test(arguments: seeds(100)) func longSequencesEndOnce(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let fault = ScriptedSession.Fault.passing[Int(seed % 3)]
        var sequence: [ScriptedSession.Call] = [.start]
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            // Ends are rare, or most sequences would be short.
            let calls: [ScriptedSession.Call] =
                Int.random(in: 0..<20, using: &random) == 0
                ? [.finish, .cancel] : [.append, .gap, .finalize, .clear, .change]
            sequence.append(calls.randomElement(using: &random) ?? .append)
        }
        try await ScriptedSession(fault: fault, queue: .thread).run(sequence)
    }

    /// Several tasks call at once, in any order.
    @Test(arguments: seeds(200)) func severalTasksAtOnceEndOnce(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let fault = ScriptedSession.Fault.passing[Int(seed % 3)]
        let session = ScriptedSession(fault: fault, queue: Bool.random(using: &random) ? .thread : .immediate)
        let scripts = (0..<4).map { _ in
            (0..<8).map { _ in ScriptedSession.Call.allCases.randomElement(using: &random) ?? .start }
        }
        await withTaskGroup { group in
            for script in scripts {
                group.addTask { for call in script { _ = await session.perform(call) } }
            }
        }
        try await session.checkEnd("\(fault) \(scripts)")
    }

    private static func sequences(length: Int) -> [[ScriptedSession.Call]] {
        length == 0
            ? [[]] : sequences(length: length - 1).flatMap { rest in ScriptedSession.Call.allCases.map { rest + [$0] } }
    }

    /// Cancelling the session, or the task that finishes it, takes effect even while a decoding never ends by itself.
    @Test(arguments: [(ScriptedSession.QueueKind.immediate, false), (.thread, false), (.thread, true)])
    func cancellingEndsAnEndlessDecoding(queue: ScriptedSession.QueueKind, cancelsTask: Bool) async throws {
        let session = ScriptedSession(fault: .stuckDecoding, queue: queue)
        #expect(await session.perform(.start))
        for _ in 0..<3 { _ = await session.perform(.append) }
        let finishing = Task { try await session.session.finish() }
        await session.decodingBegan.wait()
        if cancelsTask { finishing.cancel() } else { session.session.cancel() }
        await #expect(throws: CancellationError.self) { try await finishing.value }
        if cancelsTask { #expect(session.session.broadcast.current.state == .cancelled) }
        try await session.checkEnd("stuck")
    }

    @Test func cancellingTheTaskThatStartsCancelsTheSession() async throws {
        let session = ScriptedSession(fault: .stuckPreparation, queue: .thread)
        let starting = Task { try await session.session.start() }
        await session.preparationBegan.wait()
        starting.cancel()
        await #expect(throws: CancellationError.self) { try await starting.value }
        try await session.checkEnd("preparing")
    }

    /// More sessions prepare than Swift's cooperative pool has threads: its tasks still run, and end them.
    @Test func preparationsBlockNoTask() async throws {
        let sessions = (0..<64).map { _ in ScriptedSession(fault: .stuckPreparation) }
        let starts = sessions.map { session in Task { try await session.session.start() } }
        for session in sessions { await session.preparationBegan.wait() }
        for session in sessions { session.session.cancel() }
        for start in starts { await #expect(throws: CancellationError.self) { try await start.value } }
    }

    /// Before the caller waits, as it begins to, and afterwards.
    @Test func aRequestCancelledAtAnyMomentEndsOnceAndLeavesNothing() async throws {
        let session = ScriptedSession()
        #expect(await session.perform(.start))
        for turn in 0..<(isLong ? 2000 : 200) {
            let request = Task { try await session.session.finalize(through: 1000) }
            for _ in 0..<turn % 4 { await Task.yield() }
            request.cancel()
            await #expect(throws: CancellationError.self) { try await request.value }
            #expect(session.session.openRequests == 0, "it need not hear the audio to forget it")
        }
        #expect(await session.perform(.finish))
    }

    @Test func aSessionCancelledBeforeItsStartCannotBeStarted() async throws {
        let session = ScriptedSession()
        session.session.cancel()
        await #expect(throws: CancellationError.self) { try await session.session.start() }
        #expect(await collect(session.events).compactMap(\.state) == [.cancelled])
    }

    @Test func aFailedStartEndsTheSessionWithItsReason() async throws {
        let session = ScriptedSession(fault: .preparation, queue: .thread)
        for call in [session.session.start, session.session.finish, { try await session.session.append([0]) }] {
            await expectAsyncError(.outOfMemory) { try await call() }
        }
        session.session.cancel()
        let events = await collect(session.events)
        #expect(events.compactMap(\.state) == [.preparing, .failed])
        #expect(events.compactMap(\.failure).map(\.code) == ["outOfMemory"])
    }

    /// A reader's cancellation handler may take either lock, while the runtime holds one that waking the reader needs.
    @available(macOS 15, iOS 18, *)
    @Test func readersAreWokenWhenNoLockIsHeld() async throws {
        let session = ScriptedSession()
        let watch = WakingWatch { _ = (session.session.broadcast.current, session.session.openRequests) }
        let events = session.session.broadcast.events()
        let reader = Task(executorPreference: watch) { await events.reduce(into: 0) { count, _ in count += 1 } }
        try await waitWhile(events.reader.waitingCount == 0)
        #expect(await session.perform(.start))
        // It may get several events at once, but then waits again for the last ones.
        try await waitWhile(events.reader.count > 0 || events.reader.waitingCount == 0)
        session.session.cancel()
        #expect(await reader.value == 3)
        #expect(watch.wasFree.all.count > 2 && watch.wasFree.all.allSatisfy { $0 })
    }

    /// A caller must not believe that its last audio was transcribed.
    @Test(arguments: [16_000, 160_000]) func aCallerThatWaitsForRoomIsReleasedByTheEnd(count: Int) async throws {
        let session = ScriptedSession(fault: .stuckDecoding, limit: 16_000)
        #expect(await session.perform(.start))
        let appending = Task {
            // A call that is longer than the room waits within; others come until one waits.
            repeat { try await session.session.append([Float](repeating: 0.5, count: count)) } while count == 16_000
        }
        await session.decodingBegan.wait()
        session.session.cancel()
        await #expect(throws: CancellationError.self) { try await appending.value }
    }

    /// Text becomes final on request while somebody speaks, and nothing of it is lost or said again.
    @Test func finalizingGivesTheTextSoFar() async throws {
        let talk = ScriptedTalk.monologue(40, seed: 3)
        let session = ScriptedSession(queue: .thread, talk: talk)
        let end = talk.words[9].end
        try await session.session.start()
        try await session.session.append(talk.samples(0..<end.samples + 100))
        try await session.session.finalize(through: nil)
        #expect(session.session.broadcast.current.finals.flatMap(\.words).count == 10)
        // A future time is waited for.
        async let later: Void = session.session.finalize(through: talk.words[19].end + 0.05)
        try await session.session.append(talk.samples(end.samples + 100..<talk.count))
        try await later
        #expect(session.session.broadcast.current.finals.flatMap(\.words).count >= 20)
        try await session.session.finish()
        #expect(session.session.broadcast.current.finals.flatMap(\.words).map(\.rawText).joined() == talk.text)
        await #expect(throws: StenoError.self) { try await session.session.finalize(through: nil) }
    }

    @Test func impossibleTimesAndPositionsAreRefused() async throws {
        let session = ScriptedSession().session
        try await session.start()
        for seconds in [-1, .nan, .infinity, 1e300] {
            await expectAsyncError(.invalidOption) { try await session.finalize(through: seconds) }
        }
        for position in [-1, Int.max, Int.max - 10] {
            await expectAsyncError(.invalidOption) {
                try await session.append(AudioChunk(position: position, samples: [0]))
            }
        }
        session.cancel()
    }
}
