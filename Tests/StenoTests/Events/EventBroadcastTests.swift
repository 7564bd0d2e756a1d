import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

struct EventBroadcastTests {
    private let broadcast = TranscriptionEventBroadcast()

    private func final(_ id: Int) -> TranscriptionEvent {
        .init(.final(text: " w\(id)", segments: [liveSegment(id, " w\(id)")]), position: Double(id) + 2)
    }

    private func partial(_ id: Int) -> TranscriptionEvent {
        let segment = liveSegment(id, " w\(id)", isFinal: false)
        return .init(.partial(text: segment.text, segments: [segment]), position: Double(id) + 1)
    }

    private func level(_ position: Double) -> TranscriptionEvent {
        .init(.level(AudioLevel(rms: -20, peak: -10)), position: position)
    }

    @Test func everyReaderGetsEveryEventInOrder() async {
        let readers = (0..<10).map { _ in broadcast.events() }
        for id in 0..<5 { broadcast.send(final(id)) }
        broadcast.finish()
        broadcast.send(final(5))
        for reader in readers {
            let events = await collect(reader)
            #expect(events.map(\.sequence) == [0, 1, 2, 3, 4])
            #expect(events.map(\.text) == [" w0", " w1", " w2", " w3", " w4"])
        }
    }

    @Test func aReaderGetsEventsWhileItWaits() async {
        let events = broadcast.events()
        let reader = Task { await collect(events) }
        for id in 0..<100 {
            broadcast.send(final(id))
            await Task.yield()
        }
        broadcast.finish()
        #expect(await reader.value.map(\.sequence) == Array(0..<100))
    }

    @Test func aLateReaderGetsTheTextSoFarFirst() async {
        broadcast.send(.init(.state(.running), position: 0))
        broadcast.send(final(0))
        broadcast.send(partial(1))
        let late = broadcast.events()
        broadcast.send(final(1))
        broadcast.finish()
        let events = await collect(late)
        #expect(events.map(\.kind) == [.snapshot, .final])
        #expect(events.map(\.sequence) == [2, 3])
        #expect(events[0].snapshot?.text == "w0 w1" && events[0].snapshot?.state == .running)
        #expect(events.transcript == broadcast.current && broadcast.current.finalText == "w0 w1")
        // After the end there is only the snapshot.
        #expect(await collect(broadcast.events()).map(\.kind) == [.snapshot])
    }

    @Test func positionsNeverGoBack() async {
        let reader = broadcast.events()
        broadcast.send(final(7))
        broadcast.send(.init(.state(.finishing), position: 0))
        broadcast.finish()
        #expect(await collect(reader).map(\.position) == [9, 9])
    }

    @Test func aReaderThatNeverReadsKeepsTheTextAndLittleElse() async {
        let (slow, everything) = (broadcast.events(buffering: .bounded(100)), broadcast.events(buffering: .unbounded))
        for id in 0..<1000 {
            for tenth in 0..<5 { broadcast.send(level(Double(id) + Double(tenth) / 10)) }
            broadcast.send(partial(id))
            broadcast.send(final(id))
            #expect(slow.reader.count <= 101)
        }
        #expect(everything.reader.count == 7000)
        broadcast.finish()
        let text = await collect(slow).transcript
        #expect(text == broadcast.current && text.finals.count == 1000)
    }

    @Test func levelsAreDroppedFirstAndReplacedPartialsNext() async {
        let levels = broadcast.events(buffering: .bounded(20)), partials = broadcast.events(buffering: .bounded(10))
        for id in 0..<4 {
            broadcast.send(final(id))
            for _ in 0..<5 { broadcast.send(level(0)) }
        }
        #expect(levels.reader.count < 20)
        broadcast.finish()
        #expect(await collect(levels).filter { $0.kind == .final }.map(\.text) == [" w0", " w1", " w2", " w3"])
        #expect(await collect(partials).filter { $0.kind == .final }.map(\.text) == [" w0", " w1", " w2", " w3"])

        let second = TranscriptionEventBroadcast()
        let reader = second.events(buffering: .bounded(10))
        second.send(final(0))
        for id in 1..<11 { second.send(partial(id)) }
        second.finish()
        #expect(await collect(reader).map(\.text) == [" w0", " w10"])
    }

    @Test func aCancelledReaderEndsAndTheOthersContinue() async {
        let events = broadcast.events(), others = broadcast.events()
        let reader = Task { await collect(events) }
        reader.cancel()
        #expect(await reader.value.isEmpty)
        broadcast.send(final(0))
        broadcast.finish()
        #expect(await collect(others).count == 1)
    }

    @Test func aReleasedReaderBuffersNothing() {
        weak var reader: EventReader?
        do {
            let events = broadcast.events()
            reader = events.reader
            #expect(reader != nil)
        }
        broadcast.send(final(0))
        #expect(reader == nil)
    }

    /// They carry the punctuation after the last word.
    @Test func aSlowReaderKeepsTheEndsOfUtterances() async {
        let slow = broadcast.events(buffering: .bounded(20))
        broadcast.send(final(0))
        broadcast.send(.init(.utteranceEnd(0, mark: "."), position: 2))
        for _ in 0..<20 { broadcast.send(level(3)) }
        #expect(slow.reader.count < 20)
        broadcast.finish()
        #expect(await collect(slow).filter { $0.kind != .level }.map(\.text) == [" w0", "."])
    }
}
