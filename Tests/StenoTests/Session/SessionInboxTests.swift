import Testing

@testable import Steno
@testable import StenoCore

private func chunk(_ position: Int, _ count: Int, skipping lost: Range<Int>? = nil) -> AudioChunk {
    AudioChunk(
        position: position, samples: [Float](repeating: 0.5, count: count),
        discontinuities: lost.map { [AudioDiscontinuity(.skipped, position: $0.lowerBound, length: $0.count)] } ?? [])
}

/// The order, the positions and the limit of the items that wait for the session's thread.
final class SessionInboxTests {
    private var inbox = SessionInbox(limit: 100)

    /// The items that come out, as text: samples as their position and count.
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

    @Test func aGapTakesNoMemoryAndIsReported() {
        inbox.put(chunk(0, 10))
        let aDay = 86_400 * 16_000
        inbox.put(chunk(aDay, 10))
        #expect(inbox.waitingSamples == 20 && inbox.end == aDay + 10)
        #expect(drain() == ["0+10", "skipped 10+\(aDay - 10)", "\(aDay)+10"])
    }

    @Test(arguments: [
        ([chunk(50, 10, skipping: 0..<50)], ["skipped 0+50", "50+10"]),
        // A source may report a gap before the audio after it arrives.
        (
            [chunk(0, 10), chunk(500, 0, skipping: 10..<500), chunk(500, 10), chunk(600, 10)],
            ["0+10", "skipped 10+490", "500+10", "skipped 510+90", "600+10"]
        ),
        // What is missing beyond a reported gap is another one.
        ([chunk(50, 0, skipping: 0..<50), chunk(80, 10)], ["skipped 0+50", "skipped 50+30", "80+10"]),
        // Audio added before is dropped.
        ([chunk(0, 10), chunk(4, 10), chunk(2, 3)], ["0+10", "overlapped 10+6", "10+4", "overlapped 14+3"]),
    ])
    func gapsAndOverlapsAreReportedOnce(chunks: [AudioChunk], items: [String]) {
        for chunk in chunks { inbox.put(chunk) }
        #expect(drain() == items)
    }

    /// So that the thread sees the end of the session in the middle of an hour of audio.
    @Test func muchAudioComesOutInPieces() {
        inbox.put(chunk(5, 40_000, skipping: 0..<5))
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

    @Test func aThreadThatTakesNoAudioLeavesLaterItemsToo() {
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
