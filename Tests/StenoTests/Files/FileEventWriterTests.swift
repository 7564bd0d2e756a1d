import Testing

@testable import Steno
@testable import StenoCore

/// File events from a model's reports.
@Suite struct FileEventWriterTests {
    @Test func progressOnlyRisesAndEstimatesTheTimeLeft() {
        var now = 100.0
        var writer = FileEventWriter { now }
        var events = writer.events(duration: nil)
        now = 102
        for (processed, total) in [(10.0, nil), (10, nil), (8, nil), (20, 40), (40, 40)] as [(Double, Double?)] {
            events += writer.events(for: .progress(processed: processed, total: total))
        }
        #expect(events.map(\.kind) == [.progress, .duration, .progress, .progress])
        #expect(events.compactMap(\.duration) == [40])
        #expect(events.compactMap(\.progress?.processed) == [10, 20, 40])
        #expect(events.compactMap(\.progress).map(\.fraction) == [nil, 0.5, 1])
        // Twenty seconds took two seconds.
        #expect(events.compactMap(\.progress).map(\.timeLeft) == [nil, 2, 0])
    }

    @Test func theTranscriptComesLastAfterItsDuration() {
        var writer = FileEventWriter { 0 }
        let events = writer.end(Transcript(language: "en", duration: 3, segments: []))
        #expect(events.map(\.kind) == [.duration, .progress, .finished])
        #expect(events.compactMap(\.progress).map(\.fraction) == [1])
        #expect(events.last?.transcript?.duration == 3)
    }
}
