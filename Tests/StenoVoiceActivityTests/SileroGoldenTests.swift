import Foundation
import StenoTestSupport
import Testing

@testable import StenoVoiceActivity

/// Silero on recordings that ffmpeg decodes: together with SileroDetectorTests, twelve minutes of audio of all kinds.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct SileroGoldenTests {
    @Test func probabilitiesEqualTheReference() async throws {
        let goldens = try VoiceActivityGoldens.shared.get()
        let model = try BundledSilero.model()
        #expect(model.version == "6.2.0")
        var seconds = 0.0
        for golden in goldens.recordings {
            guard let samples = try await samples(of: golden) else { continue }
            var stream = VoiceActivityStream(try SileroDetector(model))
            let found = stream.push(samples) + stream.finish()
            let distance = largestDistance(found, goldens.probabilities(of: golden))
            #expect(distance < 1e-4, "\(golden.audio): \(distance)")
            seconds += Double(golden.count) / 16_000
        }
        #expect(seconds > 600)
    }

    /// The samples of a golden; nil if this version of ffmpeg decodes them differently.
    private func samples(of golden: VoiceActivityGoldens.Audio) async throws -> [Float]? {
        let samples: [Float]
        switch golden.audio {
        case "noise": samples = TestAudio.noise(seed: 1, count: 480_000, gain: 0.125)
        case "chords": samples = VoiceActivityRecordings.chords()
        case "gaps": samples = try await VoiceActivityRecordings.gaps(sentences())
        case let name where name.hasPrefix("inaugural"): return nil
        default:
            samples = try await decoded(Fixtures.root.appendingPathComponent(golden.audio))
        }
        let isTheSame = SHA256.fingerprint(of: samples) == golden.sha256
        #expect(isTheSame || golden.samples == "ffmpeg", "\(golden.audio) has other samples")
        return isTheSame ? samples : nil
    }
}
