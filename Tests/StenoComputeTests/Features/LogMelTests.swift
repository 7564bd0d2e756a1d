import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore

struct LogMelTests {
    static let filterbanks = [80: MelFilterbank(count: 80), 128: MelFilterbank(count: 128)]

    /// The largest difference between features and a golden's frames.
    static func error(_ features: [Float], _ golden: MelGoldens.Features, _ goldens: MelGoldens) -> Double {
        let computed = golden.frames.flatMap { features.dropFirst($0 * golden.mels).prefix(golden.mels) }
        return largestDistance(computed, goldens.rows(golden))
    }

    @Test(arguments: ["noise", "tones", "speech"], [80, 128])
    func equalsTheReferences(audio: String, mels: Int) throws {
        let goldens = try MelGoldens.shared.get()
        let filterbank = try #require(Self.filterbanks[mels])
        let samples = try TestAudio.named(audio)
        let features = LogMel.compute(samples, filterbank: filterbank)
        for (reference, tail) in [("openai-whisper", 0), ("faster-whisper", 1)] {
            let golden = try #require(goldens.features(of: audio, by: reference, mels: mels))
            #expect(features.count == (golden.total - tail) * mels)
            let error = Self.error(features, golden, goldens)
            print("log-mel of \(audio), \(mels) mels, against \(reference): \(error)")
            #expect(error < 1e-4)
        }
    }

    @Test(arguments: [0, 1, 159, 160]) func shortRecordingsHaveFewFrames(count: Int) throws {
        let filterbank = try #require(Self.filterbanks[80])
        let features = LogMel.compute([Float](repeating: 0.1, count: count), filterbank: filterbank)
        #expect(features.count == count / 160 * 80)
    }
}
