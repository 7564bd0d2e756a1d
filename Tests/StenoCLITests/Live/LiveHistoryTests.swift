#if os(Linux) || os(macOS)
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoCLI

    /// The events that `steno live` passes to the history's program.
    @Suite(.timeLimit(.minutes(60))) struct LiveHistoryTests {
        @Test func onlySavedEventsArePassedOn() async throws {
            let folder = try TemporaryFolder()
            let program = try folder.script("exec cat > \"$(dirname \"$0\")/events.jsonl\"", as: "steno-server")
            let broadcast = TranscriptionEventBroadcast()
            let events = broadcast.events(buffering: .unbounded)
            let word = Word(rawText: " One", start: 0, end: 1, probability: 1, speaker: "Speaker 1")
            let segment = LiveSegment(id: 0, start: 0, end: 1, text: " One", isFinal: true, words: [word])
            let correction = SpeakerChange(start: 0, end: nil, was: "Speaker 1", now: "Ann")
            broadcast.send(.init(.partial(text: " On", segments: []), position: 1))
            broadcast.send(.init(.lag(3), position: 1))
            broadcast.send(.init(.final(text: " One", segments: [segment]), position: 1))
            broadcast.send(.init(.speakers([correction]), position: 2))
            broadcast.send(.init(.cleared, position: 3))
            broadcast.finish(sending: [.init(.state(.finished), position: 3)])
            let history = LiveHistory(title: "", source: "test", language: nil, model: "base", program: program)
            let failures = await history.keep(events) { _ in }
            #expect(failures.isEmpty, "\(failures)")
            let lines = try String(contentsOf: folder.url.appendingPathComponent("events.jsonl"), encoding: .utf8)
            let passed = try lines.split(separator: "\n").map { try TranscriptionEvent(jsonLine: $0) }
            #expect(passed.map(\.kind) == [.partial, .final, .speakers, .cleared, .state])
            #expect(passed.flatMap(\.speakerChanges) == [correction])
        }
    }
#endif
