import Steno
import StenoTestSupport
import Testing

@testable import StenoSpeech

/// Reports of the range whose results can still change.
struct VolatileRangeTests {
    private struct Change: Sendable {
        let range: CMTimeRange
        let changedStart: Bool
        let changedEnd: Bool
    }

    @Test func theHandlerReportsWhatChanged() async throws {
        let preset = SpeechTranscriber.Preset.progressiveTranscription
        try await with(.scripted(), SpeechTranscriber(locale: english, preset: preset)) { _, analyzer in
            let talk = SpokenLevels(utterances: [2, 2])
            let (first, second) = (Recorder<Change>(), Recorder<Change>())
            await analyzer.setVolatileRangeChangedHandler {
                first.add(Change(range: $0, changedStart: $1, changedEnd: $2))
            }
            await analyzer.setVolatileRangeChangedHandler {
                second.add(Change(range: $0, changedStart: $1, changedEnd: $2))
            }
            _ = try await analyzer.analyzeSequence(sequence(try inputs(talk.samples)))
            try await analyzer.finalizeAndFinishThroughEndOfInput()
            #expect(first.all.isEmpty, "it was replaced")
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

    /// With several modules it begins where the slowest of them is final.
    @Test func itBeginsWithTheAudioThatIsNotFinalInAllModules() {
        final class Module {}
        let (fast, slow, volatile) = (Module(), Module(), VolatileRange())
        for module in [fast, slow] { volatile.finalize(ObjectIdentifier(module), to: 0) }
        volatile.take(to: 64_000, origin: .zero)
        volatile.finalize(ObjectIdentifier(fast), to: 48_000)
        #expect(volatile.range?.start.seconds == 0)
        volatile.finalize(ObjectIdentifier(slow), to: 16_000)
        #expect(volatile.range?.start.seconds == 1)
        volatile.finalize(ObjectIdentifier(slow), to: 64_000)
        #expect(volatile.range?.start.seconds == 3)
        volatile.remove(ObjectIdentifier(fast))
        #expect(volatile.range?.start.seconds == 4 && volatile.range?.end.seconds == 4)
    }
}
