import StenoCore
import StenoSpeakers
import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import Steno

/// The diarizer hears a recording once, however often the model reads it.
struct SpeakerTapTests {
    private let windows = 400
    private var samples: [Float] { [Float](repeating: 0.5, count: windows * VoiceActivity.windowLength) }

    private func tap(_ source: any SampleSource, windows: Int? = nil) -> (SpeakerTap, SpeakerDiarizer) {
        let detector = ScriptedDetector([Float](repeating: 1, count: windows ?? self.windows) + [0])
        let diarizer = SpeakerDiarizer(encoder: VoiceByLevel(windowLength: 1600), detector: detector)
        return (SpeakerTap(source, diarizer: diarizer), diarizer)
    }

    private func expectHeardOnce(_ diarizer: SpeakerDiarizer, count: Int) {
        #expect(diarizer.finish().turns.map(\.range) == [0..<count])
    }

    @Test func aPipeIsHeardWhileItIsRead() throws {
        let (tap, diarizer) = tap(TestSources.Pipe(samples))
        #expect(try !tap.rewind())
        #expect(try readAll(tap).count == samples.count)
        try tap.finish()
        expectHeardOnce(diarizer, count: samples.count)
    }

    /// The second of two passes is heard; a short recording that is read once is heard at the end.
    @Test(arguments: 1...2) func aShortRecordingIsHeardOnce(passes: Int) throws {
        let (tap, diarizer) = tap(ArraySampleSource(samples))
        for _ in 0..<passes {
            #expect(try tap.rewind())
            #expect(try readAll(tap).count == samples.count)
        }
        try tap.finish()
        expectHeardOnce(diarizer, count: samples.count)
    }

    @Test func aLongRecordingReadOnceIsReadAgain() throws {
        let source = TestSources.Counting(seconds: 70)
        let windows = 70 * 16_000 / VoiceActivity.windowLength + 1
        let (tap, diarizer) = tap(source, windows: windows)
        #expect(try tap.rewind())
        #expect(try readAll(tap).count == 70 * 16_000)
        #expect(source.passes == 1)
        try tap.finish()
        #expect(source.passes == 2)
        let found = diarizer.finish()
        #expect(found.turns.first?.range.lowerBound == 0 && found.turns.last?.range.upperBound == 70 * 16_000)
    }
}
