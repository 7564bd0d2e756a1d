import Foundation
import StenoTestSupport
import Testing

@testable import StenoVoiceActivity

@Suite struct EnergyDetectorTests {
    private func probabilities(_ samples: [Float]) -> [Float] {
        var stream = VoiceActivityStream(EnergyDetector())
        return stream.push(samples)
    }

    private func noise(_ seconds: Double, decibels: Double) -> [Float] {
        // Uniform noise is 4.8 dB below its peaks.
        let gain = pow(10, (decibels + 4.77) / 20)
        return TestAudio.noise(seed: 5, count: Int(seconds * 16_000), gain: gain)
    }

    @Test func silenceAndSteadyNoiseAreNotSpeech() {
        #expect(probabilities([Float](repeating: 0, count: 48_000)).allSatisfy { $0 < 0.1 })
        #expect(probabilities(noise(5, decibels: -50)).allSatisfy { $0 < 0.1 })
    }

    @Test func audioLouderThanTheNoiseIsSpeech() {
        let audio = noise(4, decibels: -50) + noise(1, decibels: -25) + noise(1, decibels: -50)
        let found = probabilities(audio)
        #expect(found[..<124].allSatisfy { $0 < 0.5 })
        #expect(found[126..<155].allSatisfy { $0 > 0.9 })
        #expect(found[157...].allSatisfy { $0 < 0.5 })
    }

    @Test func speechContinuesAtALowerLevel() {
        let quiet = noise(4, decibels: -50)
        // 7 dB above the noise: too little for speech to begin, enough for it to continue.
        let middle = noise(0.5, decibels: -43)
        #expect(probabilities(quiet + middle).dropFirst(126).allSatisfy { $0 < 0.5 })
        let after = probabilities(quiet + noise(0.5, decibels: -25) + middle)
        #expect(after[142..<155].allSatisfy { $0 > 0.5 })
    }

    @Test func constantNoiseIsAcceptedAfterThreeSeconds() {
        let found = probabilities(noise(2, decibels: -55) + noise(6, decibels: -35))
        #expect(found[70] > 0.5)
        #expect(found[180...].allSatisfy { $0 < 0.5 })
    }

    @Test func audioBelowTheFloorIsNeverSpeech() {
        #expect(probabilities([Float](repeating: 0, count: 64_000) + noise(1, decibels: -62)).allSatisfy { $0 < 0.5 })
    }

    @Test func chunkSizesDoNotMatter() throws {
        let audio = try TestAudio.speech()
        var stream = VoiceActivityStream(EnergyDetector())
        let pieces = stride(from: 0, to: audio.count, by: 700).flatMap {
            stream.push(Array(audio[$0..<min($0 + 700, audio.count)]))
        }
        #expect(pieces == probabilities(audio))
        // A human voice: mostly speech, with pauses.
        #expect((0.3...0.95).contains(Double(pieces.count { $0 > 0.5 }) / Double(pieces.count)))
    }
}
