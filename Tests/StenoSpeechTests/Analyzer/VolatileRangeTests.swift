import Testing

@testable import StenoSpeech

/// The range whose results can still change, as it is reported.
struct VolatileRangeTests {
    private struct Change: Sendable {
        let range: CMTimeRange
        let changedStart: Bool
        let changedEnd: Bool
    }

    @Test func theHandlerSaysWhatHasChanged() async throws {
        try await with(.scripted()) {
            let talk = SpokenLevels(utterances: [2, 2])
            let module = SpeechTranscriber(locale: english, preset: .progressiveTranscription)
            let (first, second) = (Log<Change>(), Log<Change>())
            let analyzer = SpeechAnalyzer(modules: [module])
            await analyzer.setVolatileRangeChangedHandler {
                first.append(Change(range: $0, changedStart: $1, changedEnd: $2))
            }
            await analyzer.setVolatileRangeChangedHandler {
                second.append(Change(range: $0, changedStart: $1, changedEnd: $2))
            }
            _ = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(first.all.isEmpty, "another one took its place")
            let changes = second.all
            for (before, after) in zip(changes, changes.dropFirst()) {
                #expect(after.changedStart == (after.range.start != before.range.start))
                #expect(after.changedEnd == (after.range.end != before.range.end))
                #expect(after.changedStart || after.changedEnd)
            }
            #expect(changes.contains { $0.changedStart } && changes.contains { $0.changedEnd })
            #expect(abs((changes.last?.range.end.seconds ?? 0) - talk.seconds) < 0.001)
            #expect(await analyzer.volatileRange == changes.last?.range)
        }
    }
}
