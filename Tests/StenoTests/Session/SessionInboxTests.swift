import Testing

@testable import Steno
@testable import StenoCore

/// The order, the positions and the bound of what waits for the session's thread.
final class SessionInboxTests {
    private var inbox = SessionInbox(limit: 100)

    /// What comes out, as text: samples as their position and count.
    private func drain() -> [String] {
        var items: [String] = []
        while let item = inbox.take(acceptsAudio: true) {
            switch item {
            case .audio(let samples, let position): items.append("\(position)+\(samples.count)")
            case .discontinuity(let found): items.append("\(found.kind.rawValue) \(found.position)+\(found.length)")
            case .finalize(_, let id): items.append("finalize \(id)")
            case .clear: items.append("clear")
            case .forget(let sample): items.append("forget \(sample)")
            case .change: items.append("change")
            }
        }
        return items
    }

    private func chunk(_ position: Int, _ count: Int, _ reports: [AudioDiscontinuity] = []) -> AudioChunk {
        AudioChunk(position: position, samples: [Float](repeating: 0.5, count: count), discontinuities: reports)
    }

    @Test func aGapTakesNoMemoryAndIsReported() {
        inbox.put(chunk(0, 10))
        let aDay = 86_400 * 16_000
        inbox.put(chunk(aDay, 10))
        #expect(inbox.waitingSamples == 20 && inbox.end == aDay + 10)
        #expect(drain() == ["0+10", "skipped 10+\(aDay - 10)", "\(aDay)+10"])
    }

    @Test func aGapThatTheSourceReportsIsNotReportedTwice() {
        inbox.put(chunk(50, 10, [AudioDiscontinuity(.skipped, position: 0, length: 50)]))
        #expect(drain() == ["skipped 0+50", "50+10"])
    }

    /// A source may report a loss before the audio after it comes.
    @Test func aGapThatWasReportedWithoutAudioIsNotReportedAgain() {
        inbox.put(chunk(0, 10))
        inbox.put(chunk(500, 0, [AudioDiscontinuity(.skipped, position: 10, length: 490)]))
        inbox.put(chunk(500, 10))
        inbox.put(chunk(600, 10))
        #expect(drain() == ["0+10", "skipped 10+490", "500+10", "skipped 510+90", "600+10"])
    }

    /// What is missing beyond a reported loss is a loss of its own.
    @Test func aGapBeyondTheReportedOneIsReported() {
        inbox.put(chunk(50, 0, [AudioDiscontinuity(.skipped, position: 0, length: 50)]))
        inbox.put(chunk(80, 10))
        #expect(drain() == ["skipped 0+50", "skipped 50+30", "80+10"])
    }

    @Test func audioThatWasAddedBeforeIsDroppedAndReported() {
        inbox.put(chunk(0, 10))
        inbox.put(chunk(4, 10))
        inbox.put(chunk(2, 3))
        #expect(drain() == ["0+10", "overlapped 10+6", "10+4", "overlapped 14+3"])
    }

    /// So that the thread sees the end of the session in the middle of an hour of audio.
    @Test func muchAudioComesOutInPieces() {
        inbox.put(chunk(5, 40_000, [AudioDiscontinuity(.skipped, position: 0, length: 5)]))
        #expect(inbox.waitingSamples == 40_000 && inbox.end == 40_005)
        #expect(drain() == ["skipped 0+5", "5+16000", "16005+16000", "32005+8000"])
        #expect(inbox.waitingSamples == 0)
    }

    @Test func requestsKeepTheirPlaceAmongTheAudio() {
        inbox.put(chunk(0, 1))
        inbox.put(.finalize(through: nil, id: 7))
        inbox.put(chunk(1, 1))
        inbox.put(.clear)
        #expect(drain() == ["0+1", "finalize 7", "1+1", "clear"])
        #expect(inbox.isEmpty)
    }

    @Test func aThreadThatTakesNoAudioLeavesWhatComesAfterItToo() {
        inbox = SessionInbox(limit: 5)
        inbox.put(.clear)
        inbox.put(chunk(0, 6))
        inbox.put(.clear)
        #expect(inbox.isFull)
        guard case .clear = inbox.take(acceptsAudio: false) else {
            Issue.record("the request before the audio is taken")
            return
        }
        let takesAudio = inbox.take(acceptsAudio: false) != nil
        #expect(!takesAudio && inbox.isFull)
        #expect(drain() == ["0+6", "clear"] && !inbox.isFull)
    }

    /// Thousands of items pass without the list growing or an item being lost.
    @Test func itemsPassInOrder() {
        var put = 0, taken = 0
        for round in 0..<2000 {
            for _ in 0..<(round % 5) {
                inbox.put(chunk(put, 1))
                put += 1
            }
            for _ in 0..<(round % 4) {
                guard case .audio(_, let position)? = inbox.take(acceptsAudio: true) else { continue }
                #expect(position == taken)
                taken += 1
            }
        }
        #expect(drain().count == put - taken)
    }
}
