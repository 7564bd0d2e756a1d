import Foundation
import StenoCore
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

    /// The network and the rules together, in settings in which the versions of Silero differ.
    @Test func theFilterFindsTheSpeechThatFasterWhisperFinds() async throws {
        let goldens = try VoiceActivityGoldens.shared.get()
        let settings = goldens.settings.map(VoiceActivityOptions.init)
        var count = 0
        for golden in goldens.spans {
            guard let samples = try await samples(of: golden.audio) else { continue }
            #expect(SHA256.fingerprint(of: samples) == golden.sha256, "\(golden.audio) has other samples")
            var stream = VoiceActivityStream(try DetectorKind.silero.makeFilter())
            let probabilities = stream.push(samples) + stream.finish()
            for (options, expected) in zip(settings, golden.spans) {
                let found = SpeechTimestamps.chunks(of: probabilities, sampleCount: samples.count, options: options)
                #expect(found == expected.map { $0[0]..<$0[1] }, "\(golden.audio): \(options)")
                count += found.count
            }
        }
        #expect(count > 500)
    }

    /// The samples of a golden; nil if this version of ffmpeg decodes them differently.
    private func samples(of golden: VoiceActivityGoldens.Audio) async throws -> [Float]? {
        guard let samples = try await samples(of: golden.audio) else { return nil }
        let isTheSame = SHA256.fingerprint(of: samples) == golden.sha256
        #expect(isTheSame || golden.samples == "ffmpeg", "\(golden.audio) has other samples")
        return isTheSame ? samples : nil
    }

    /// The samples of a recording by its name in the goldens; nil for pieces of the bundled sample.
    private func samples(of name: String) async throws -> [Float]? {
        let samples: [Float]
        switch name {
        case "noise": samples = TestAudio.noise(seed: 1, count: 480_000, gain: 0.125)
        case "chords": samples = VoiceActivityRecordings.chords()
        case "gaps": samples = try await VoiceActivityRecordings.gaps(sentences())
        case let name where name.hasPrefix("inaugural"): return nil
        default:
            samples = try await decoded(Fixtures.root.appendingPathComponent(name))
        }
        return samples
    }
}

extension VoiceActivityOptions {
    fileprivate init(_ setting: VoiceActivityGoldens.Setting) {
        self.init()
        threshold = setting.threshold ?? threshold
        maxSpeechSeconds = setting.max_speech_duration_s ?? maxSpeechSeconds
        if let milliseconds = setting.min_speech_duration_ms { minSpeechSeconds = Double(milliseconds) / 1000 }
        if let milliseconds = setting.min_silence_duration_ms { minSilenceSeconds = Double(milliseconds) / 1000 }
        if let milliseconds = setting.speech_pad_ms { speechPadSeconds = Double(milliseconds) / 1000 }
    }
}
