import StenoTestSupport
import Testing

@testable import StenoSpeakers

struct KaldiFilterBankTests {
    @Test func equalsTheDefinition() throws {
        let goldens = try SpeakerNetworkGoldens.shared.get()
        let output = try #require(goldens.outputs(of: "filterbank").first)
        var samples = goldens.uniform("samples", count: 2_000, centre: 0.01, span: 0.3)
        // Quiet at the end, where the smallest energy counts.
        for index in 1_200..<2_000 { samples[index] *= 1e-4 }
        let found = try KaldiFilterBank().features(samples)
        #expect(largestDistance(found, goldens.values(of: output)) < 1e-4)
    }

    /// A row depends on its own frame alone.
    @Test func rowsDoNotDependOnOthers() throws {
        let samples = TestAudio.noise(seed: 5, count: 160 * 200 + 400, gain: 0.2)
        let bank = try KaldiFilterBank()
        let all = bank.features(samples)
        #expect(all.count == 201 * KaldiFilterBank.bands)
        let one = bank.features(Array(samples[160 * 150..<160 * 150 + 400]))
        #expect(one == Array(all[150 * 80..<151 * 80]))
    }

    @Test func framesAreWhole() throws {
        for (samples, frames) in [(0, 0), (399, 0), (400, 1), (559, 1), (560, 2), (160_000, 998)] {
            #expect(KaldiFilterBank.frames(in: samples) == frames)
        }
        #expect(try KaldiFilterBank().features([Float](repeating: 0, count: 399)).isEmpty)
    }

    @Test func samplesThatAreNotFiniteGiveFiniteRows() throws {
        var samples = [Float](repeating: 0.1, count: 800)
        samples[300] = .nan
        samples[500] = -.infinity
        #expect(try KaldiFilterBank().features(samples).allSatisfy { $0.isFinite })
    }
}
