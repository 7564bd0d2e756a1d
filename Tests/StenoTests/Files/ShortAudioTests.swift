import Foundation
import StenoBundledModel
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno

/// Two seconds of speech in a short audio context: what a live transcription decodes first.
///
/// Very short audio is sensitive to rounding: with the second convolution in int8, the first cut lost half its words.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
struct ShortAudioTests {
    private static let cuts = [("en-057", 1.8120625), ("en-007", 1.8026875)] + (0..<20).map { ("en-0\($0 + 30)", 2.0) }

    @Test func int8IsAsConfidentAsFloat32() async throws {
        let exact = try await Transcriber.load(try BundledModel.folder, precision: .float32)
        let rough = try await Transcriber.load(try BundledModel.folder, precision: .int8)
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
