import Testing

@testable import Steno
@testable import StenoCore

/// File events from a model's reports.
@Suite struct FileEventsTests {
    @Test func progressOnlyRisesAndEstimatesTheTimeLeft() {
        var now = 100.0
        var writer = FileEventWriter { now }
        var events = writer.events(duration: nil)
        now = 102
        for (processed, total) in [(10.0, nil), (10, nil), (8, nil), (20, 40), (40, 40)] as [(Double, Double?)] {
            events += writer.events(for: .progress(processed: processed, total: total))
        }
        #expect(events.map { $0.progress != nil } == [true, false, true, true])
        #expect(events.compactMap(\.duration) == [40])
        #expect(events.compactMap(\.progress?.processed) == [10, 20, 40])
        #expect(events.compactMap(\.progress).map(\.fraction) == [nil, 0.5, 1])
        // Twenty seconds took two seconds.
        #expect(events.compactMap(\.progress).map(\.timeLeft) == [nil, 2, 0])
    }

    @Test func theTranscriptComesLastAfterItsDuration() throws {
        var writer = FileEventWriter { 0 }
        let events = writer.end(Transcript(language: "en", duration: 3, segments: []))
        try #require(events.count == 3)
        #expect(events[0].duration == 3 && events[1].progress?.fraction == 1 && events[2].transcript?.duration == 3)
    }
}
