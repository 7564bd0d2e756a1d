import Foundation
import StenoBundledModel
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore

/// Silence gives no text and quiet speech does, with the bundled model and default settings.
@Suite(.serialized, .needsFFmpeg) struct SilenceTests {
    private static let base = Task { try await Transcriber.load(BundledModel.folder) }

    private static let parity = TranscriptionOptions().with { $0.whisper.skipsSilence = false }

    /// Noise like an amplifier's; for the quieter one base writes "You".
    @Test(arguments: [0, 1e-4, 3e-4, 1e-2]) func audioWithoutSpeechGivesNoText(level: Double) async throws {
        let samples = TestAudio.noise(seed: 4, count: 10 * 16_000, gain: level)
        let transcript = try await Self.base.value.transcribe(samples: samples)
        #expect(transcript.text.isEmpty && transcript.warnings?.map(\.code) == [.noSpeech])
    }

    /// The channels have opposite signs, so that their mean is silent.
    @Test func oppositeChannelsGiveNoText() async throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("a.wav")
        let speech = try await decoded(Fixtures.file("speech/en-003.flac"))
        try AudioFile.write(samples: speech.flatMap { [$0, -$0] }, to: file, channels: 2)
        let transcript = try await Self.base.value.transcribe(file: file)
        #expect(transcript.text.isEmpty && transcript.warnings?.map(\.code) == [.noSpeech])
        #expect(try await Self.base.value.transcribe(file: file, options: Self.parity).warnings == nil)
    }

    /// Voice activity detection finds nothing at these levels, but the model is sure of its words: of one recording at each
    /// level, and of all with `STENO_LONG`.
    @Test(arguments: [(20.0, 0), (40, 1), (60, 2), (65, 0)])
    func quietSpeechIsTranscribedAsUsual(attenuation: Double, number: Int) async throws {
        let gain = Float(pow(10, -attenuation / 20))
        let names = ["speech/en-003.flac", "speech/en-017.flac", "real-speech/jfk.flac"]
        for name in isLong ? names : [names[number]] {
            let quiet = try await decoded(Fixtures.file(name)).map { $0 * gain }
            let transcript = try await Self.base.value.transcribe(samples: quiet)
            #expect(try await transcript == Self.base.value.transcribe(samples: quiet, options: Self.parity))
            #expect(transcript.text.split(separator: " ").count > 5, "\(name): \(transcript.text)")
            #expect(transcript.warnings == nil)
        }
    }
}

/// Two seconds of speech in a short audio context: what a live transcription decodes first.
///
/// Very short audio is sensitive to rounding: with the second convolution in int8, the first cut lost half its words.
@Suite(.needsFFmpeg) struct ShortAudioTests {
    private static let cuts = [("en-057", 1.8120625), ("en-007", 1.8026875)] + (0..<20).map { ("en-0\($0 + 30)", 2.0) }

    @Test func int8IsAsConfidentAsFloat32() async throws {
        let exact = try await GoldenModels.whisperBase.value
        let rough = try await GoldenModels.whisperBaseInt8.value
        let options = TranscriptionOptions(language: "en").with {
            ($0.whisper.audioContext, $0.whisper.temperatures) = (.automatic, [0])
        }
        var differences: [Double] = []
        var different: [String] = []
        for (name, seconds) in Self.cuts {
            let sound = try await decoded(Fixtures.file("speech/\(name).flac")).prefix(Int(seconds * 16_000))
            let expected = try await exact.transcribe(samples: Array(sound), options: options)
            let found = try await rough.transcribe(samples: Array(sound), options: options)
            let difference = abs(
                try #require(expected.segments.first?.averageLogProbability)
                    - (found.segments.first?.averageLogProbability ?? -.infinity))
            #expect(difference < 0.3, "\(name): “\(expected.text)”, in int8 “\(found.text)”")
            differences.append(difference)
            // The last word is cut in the middle, so its text depends on how the processor rounds.
            if !words(found.text).starts(with: words(expected.text).dropLast()) {
                different.append("“\(expected.text)”, in int8 “\(found.text)”")
            }
            #expect(expected.text.split(separator: " ").count > 2, "\(name)")
        }
        let mean: Double = differences.reduce(0, +) / Double(differences.count)
        #expect(mean < 0.035)
        #expect(different.isEmpty, "\(different)")
    }

    private func words(_ text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && $0 != "'" }.map(String.init)
    }
}

/// Endless speech, read as from a pipe; reports when the engine has released it.
final class EndlessSpeech: SampleSource {
    private let samples: [Float]
    private let onRelease: @Sendable () -> Void
    private var position = 0

    init(onRelease: @escaping @Sendable () -> Void = {}) throws {
        samples = try TestAudio.samplesOfPlainWAV(Fixtures.file("sounds/tomorrow.wav"))
        self.onRelease = onRelease
    }

    deinit { onRelease() }

    func read(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
        for index in 0..<buffer.count {
            buffer[index] = samples[position]
            position = (position + 1) % samples.count
        }
        return buffer.count
    }

    func rewind() -> Bool { false }
}
