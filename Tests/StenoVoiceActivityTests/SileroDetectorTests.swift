import Foundation
import StenoTestSupport
import Testing

@testable import StenoVoiceActivity

/// The recordings that need no ffmpeg; SileroGoldenTests has the others.
@Suite struct SileroDetectorTests {
    private let detector: SileroDetector
    private let goldens: VoiceActivityGoldens
    private let inaugural: [Float]

    init() throws {
        detector = try SileroDetector(SileroModel.load(file: VoiceActivityGoldens.silero))
        goldens = try VoiceActivityGoldens.shared.get()
        inaugural = try TestAudio.speech()
    }

    private func probabilities(_ samples: [Float], chunks: [Int] = [16_000]) -> [Float] {
        var stream = VoiceActivityStream(detector)
        var found: [Float] = []
        var start = 0, turn = 0
        while start < samples.count {
            let end = min(samples.count, start + chunks[turn % chunks.count])
            found += stream.push(Array(samples[start..<end]))
            #expect(stream.position == found.count * 512 && stream.sampleCount == end)
            start = end
            turn += 1
        }
        return found + stream.finish()
    }

    private func golden(_ name: String) throws -> [Float] {
        let audio = try #require(goldens.recordings.first { $0.audio.hasSuffix(name) })
        return goldens.probabilities(of: audio)
    }

    @Test func speechNoiseAndMusicEqualTheReference() throws {
        let noise = TestAudio.noise(seed: 1, count: 480_000, gain: 0.125)
        for (samples, name) in [
            (inaugural, "inaugural-1961.wav"), (noise, "noise"), (VoiceActivityRecordings.chords(), "chords"),
        ] {
            #expect(try largestDistance(probabilities(samples), golden(name)) < 1e-4, "\(name)")
        }
    }

    @Test(arguments: [0, 1, 511, 512, 513, 60_404]) func recordingsEndAsInTheReference(count: Int) throws {
        let found = probabilities(Array(inaugural.prefix(count)))
        #expect(try largestDistance(found, golden("inaugural-first-\(count)")) < 1e-4)
    }

    /// Each stream also resets the detector that it shares with the one before.
    @Test(arguments: [[1], [511, 513], [512], [160], [7, 4000, 1, 20_000]]) func chunkSizesDoNotMatter(chunks: [Int]) {
        let audio = Array(inaugural.prefix(40_000))
        #expect(probabilities(audio, chunks: chunks) == probabilities(audio))
    }

    @Test func samplesThatAreNotFiniteAreSilence() {
        let audio = Array(inaugural.prefix(20_000))
        var broken = audio, silent = audio
        for index in 5000..<5100 {
            broken[index] = index.isMultiple(of: 2) ? .nan : .infinity
            silent[index] = 0
        }
        #expect(probabilities(broken) == probabilities(silent))
    }

    /// With the wrong context the onset's probability would differ.
    @Test func aWindowHasThePreviousOnesEndAsContext() {
        var audio = Array(inaugural.prefix(8192))
        let first = probabilities(audio)
        audio[511] += 0.25
        let second = probabilities(audio)
        var withoutContext = audio
        withoutContext[447] += 0.25
        withoutContext[511] -= 0.25
        #expect(first[1] != second[1])
        #expect(first.dropFirst() != probabilities(withoutContext).dropFirst())
    }
}
