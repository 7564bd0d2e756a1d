import Foundation
import StenoBundledModel
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno

/// Silence gives no text and quiet speech does, with the bundled model and default settings.
@Suite(
    .serialized,
    .enabled(if: hasFFmpeg, "ffmpeg is not installed"))
struct SilenceTests {
    private static let base = Task { try await Transcriber.load(BundledModel.folder) }

    private static let parity = TranscriptionOptions().with { $0.whisper.skipsSilence = false }

    /// Noise like an amplifier's; for the quieter one base writes "You".
    @Test(arguments: [0, 1e-4, 3e-4, 1e-2]) func audioWithoutSpeechGivesNoText(level: Double) async throws {
        let samples = TestAudio.noise(seed: 4, count: 10 * 16_000, gain: level)
        let transcript = try await Self.base.value.transcribe(samples: samples)
        #expect(transcript.text.isEmpty)
        #expect(transcript.warnings?.map(\.code) == [.noSpeech])
    }

    /// The channels have opposite signs, so that their mean is silent.
    @Test func oppositeChannelsGiveNoText() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
        let speech = try await decoded(Fixtures.file("speech/en-003.flac"))
        try AudioFile.write(samples: speech.flatMap { [$0, -$0] }, to: file, channels: 2)
        let transcript = try await Self.base.value.transcribe(file: file)
        #expect(transcript.text.isEmpty)
        #expect(transcript.warnings?.map(\.code) == [.noSpeech])
        let wouldBe = try await Self.base.value.transcribe(file: file, options: Self.parity)
        #expect(wouldBe.warnings == nil)
    }

    /// Voice activity detection finds nothing at these levels, but the model is sure of its words.
    @Test(arguments: [20.0, 40, 60, 65]) func quietSpeechIsTranscribedAsUsual(attenuation: Double) async throws {
        let gain = Float(pow(10, -attenuation / 20))
        for name in ["speech/en-003.flac", "speech/en-017.flac", "real-speech/jfk.flac"] {
            let quiet = try await decoded(Fixtures.file(name)).map { $0 * gain }
            let transcript = try await Self.base.value.transcribe(samples: quiet)
            #expect(try await transcript == Self.base.value.transcribe(samples: quiet, options: Self.parity))
            #expect(transcript.text.split(separator: " ").count > 5, "\(name): \(transcript.text)")
            #expect(transcript.warnings == nil)
        }
    }
}
