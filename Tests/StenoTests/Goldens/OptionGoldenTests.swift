import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno

/// One option of faster-whisper changed at a time: the same tokens, times and words.
///
/// `STENO_LONG=1` runs all of them on Whisper base too.
@Suite(
    .serialized, .enabled(if: isRelease, "minutes in a debug build"),
    .enabled(if: FFmpeg.installed != nil || mustRun, "ffmpeg is not installed"))
struct OptionGoldenTests {
    @Test func nano() async throws { try await check("nano-options", model: Fixtures.nano, atLeast: 184) { _ in true } }

    @Test func whisperBase() async throws {
        try await check("base-bundled-options", model: try BundledModel.folder, atLeast: isLong ? 140 : 10) {
            isLong || $0 % 10 == 0
        }
    }

    private func check(
        _ name: String, model: URL, atLeast count: Int, including isIncluded: (Int) -> Bool
    ) async throws {
        let transcriber = try await Transcriber.load(model, precision: .float32, threads: 1)
        var recordings: [String: [Float]] = [:]
        var words = GoldenWordCount()
        var compared = 0
        let goldens = try TranscriptionGoldens(name).files.sorted { $0.key < $1.key }
        for (index, (key, golden)) in goldens.enumerated() where isIncluded(index) {
            let file = try #require(golden.file)
            let samples: [Float]
            if let known = recordings[file] { samples = known } else { samples = try await self.samples(file) }
            recordings[file] = samples
            let options = try #require(golden.options).options
            golden.expect(try await transcriber.transcribe(samples: samples, options: options), key, &words)
            compared += 1
        }
        #expect(compared >= count)
        #expect(words.near == words.all, "\(words)")
    }

    /// The samples of a file, or of several with a + between their names.
    private func samples(_ names: String) async throws -> [Float] {
        var samples: [Float] = []
        for name in names.split(separator: "+") {
            samples += try await decoded(TranscriptionGoldens.url(String(name)))
        }
        return samples
    }
}
