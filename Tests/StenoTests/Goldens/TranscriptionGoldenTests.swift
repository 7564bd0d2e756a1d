import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoWhisper

/// Token for token with faster-whisper 1.2.1 in float32 at temperature 0, and nearly number for number.
///
/// The recordings are FLAC, so these tests need ffmpeg. `STENO_LONG=1` adds the rest on Whisper base.
@Suite(.enabled(if: hasFFmpeg, "ffmpeg is not installed"))
struct TranscriptionGoldenTests {
    @Test(arguments: [
        ("nano-greedy-transcribe", 61), ("nano-beam5-transcribe", 61), ("nano-greedy-translate", 38),
        ("nano-beam5-translate", 38),
    ])
    func nano(_ name: String, count: Int) async throws {
        try await check(name, model: Fixtures.nano, count: count)
    }

    @Test func nanoWords() async throws { try await check("nano-beam5-words", model: Fixtures.nano, count: 61) }

    @Test(arguments: ["base-bundled-greedy-transcribe", "base-bundled-beam5-transcribe"])
    func whisperBase(_ name: String) async throws {
        try await check(name, model: try BundledModel.folder, count: isLong ? 103 : 23) { path in
            isLong || path.hasSuffix("0.flac") || path.contains("languages")
        }
    }

    @Test(arguments: ["base-bundled-greedy-translate", "base-bundled-beam5-translate"])
    func whisperBaseTranslates(_ name: String) async throws {
        try await check(name, model: try BundledModel.folder, count: isLong ? 15 : 4) { path in
            isLong || path.contains("pangrama")
        }
    }

    @Test(.enabled(if: isLong, "STENO_LONG is not set")) func whisperBaseWords() async throws {
        try await check("base-bundled-beam5-words", model: try BundledModel.folder, count: 82)
    }

    /// The published float16 weights are too large for the repository; STENO_BASE_ORIGINAL names their folder.
    @Test(
        .enabled(if: originalBase != nil, "STENO_BASE_ORIGINAL is not set"),
        arguments: [
            ("base-original-greedy-transcribe", 103), ("base-original-beam5-transcribe", 103),
            ("base-original-greedy-translate", 15), ("base-original-beam5-translate", 15),
        ])
    func publishedWhisperBase(_ name: String, count: Int) async throws {
        try await check(name, model: #require(originalBase), count: count)
    }

    private func check(
        _ name: String, model: URL, count: Int, including isIncluded: (String) -> Bool = { _ in true }
    ) async throws {
        let goldens = try TranscriptionGoldens(name)
        // Results are the same on any number of threads (`test_threads.c`), and other goldens run beside.
        let transcriber = try await Transcriber.load(model, precision: .float32, threads: 1)
        var options = TranscriptionOptions()
        options.whisper.temperatures = [0]
        options.whisper.beamSize = goldens.beam_size ?? 5
        options.task = goldens.task == "translate" ? .translate : .transcribe
        options.wordTimestamps = name.contains("words")
        var words = GoldenWordCount()
        let files = goldens.files.sorted { $0.key < $1.key }.filter { isIncluded($0.key) }
        #expect(files.count == count)
        for (path, golden) in files { try await compare(path, golden, transcriber, options, &words) }
        // The criterion is 99 % within one position, but anything less than all is worth a look.
        #expect(words.near == words.all, "\(words)")
    }

    private func compare(
        _ path: String, _ golden: TranscriptionGoldens.File, _ transcriber: Transcriber,
        _ options: TranscriptionOptions, _ words: inout GoldenWordCount
    ) async throws {
        let detection = Shared<LanguageDetection?>(nil)
        let transcript = try await transcriber.transcribe(file: TranscriptionGoldens.url(path), options: options) {
            if case .language(let language) = $0 { detection.value = language }
        }
        // If each side decodes the file itself, samples differ slightly, and so may numbers and times.
        guard golden.samples == "file" else {
            #expect(transcript.language == golden.language, "\(path)")
            #expect(transcript.text == golden.segments.map(\.text).joined().trimmingWhitespace, "\(path)")
            return
        }
        for probability in golden.language_probs ?? [] {
            let own = try #require(detection.value?.probabilities[probability.code])
            #expect(abs(own - probability.probability) < 1e-3, "\(path): \(probability.code)")
        }
        golden.expect(transcript, path, &words)
    }
}
