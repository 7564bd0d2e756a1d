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
@Suite(.needsFFmpeg) struct TranscriptionGoldenTests {
    @Test(arguments: [
        ("nano-greedy-transcribe", 61), ("nano-beam5-transcribe", 61), ("nano-greedy-translate", 38),
        ("nano-beam5-translate", 38), ("nano-beam5-words", 61),
    ])
    func nano(_ name: String, count: Int) async throws { try await check(name, GoldenModels.nano, count: count) }

    @Test(arguments: ["base-bundled-greedy-transcribe", "base-bundled-beam5-transcribe"])
    func whisperBase(_ name: String) async throws {
        try await check(name, GoldenModels.whisperBase, count: isLong ? 103 : 23) { path in
            isLong || path.hasSuffix("0.flac") || path.contains("languages")
        }
    }

    @Test(arguments: ["base-bundled-greedy-translate", "base-bundled-beam5-translate"])
    func whisperBaseTranslates(_ name: String) async throws {
        try await check(name, GoldenModels.whisperBase, count: isLong ? 15 : 4) { isLong || $0.contains("pangrama") }
    }

    @Test(.enabled(if: isLong, "STENO_LONG is not set")) func whisperBaseWords() async throws {
        try await check("base-bundled-beam5-words", GoldenModels.whisperBase, count: 82)
    }

    /// The published float16 weights are too large for the repository; STENO_BASE_ORIGINAL names their folder.
    @Test(
        .enabled(if: originalBase != nil, "STENO_BASE_ORIGINAL is not set"),
        arguments: [
            ("base-original-greedy-transcribe", 103), ("base-original-beam5-transcribe", 103),
            ("base-original-greedy-translate", 15), ("base-original-beam5-translate", 15),
        ])
    func publishedWhisperBase(_ name: String, count: Int) async throws {
        let model = try #require(originalBase)
        let published = Task { try await Transcriber.load(model, precision: .float32, threads: 1) }
        try await check(name, published, count: count, halves: false)
    }

    /// - Parameter halves: Every other recording is compared in greedy search and the others in beam search; all in both
    ///   with `STENO_LONG`.
    private func check(
        _ name: String, _ model: Task<Transcriber, any Error>, count: Int, halves: Bool = !isLong,
        including isIncluded: (String) -> Bool = { _ in true }
    ) async throws {
        let goldens = try TranscriptionGoldens(name)
        let transcriber = try await model.value
        var options = TranscriptionOptions()
        options.whisper.temperatures = [0]
        options.whisper.beamSize = goldens.beam_size ?? 5
        options.task = goldens.task == "translate" ? .translate : .transcribe
        options.wordTimestamps = name.contains("words")
        var words = GoldenWordCount()
        let files = goldens.files.sorted { $0.key < $1.key }.filter { isIncluded($0.key) }
        #expect(files.count == count)
        for (index, (path, golden)) in files.enumerated() where !halves || (index % 2 == 0) == name.contains("greedy") {
            try await compare(path, golden, transcriber, options, &words)
        }
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

/// The models that transcripts are compared on, each loaded once for all suites.
enum GoldenModels {
    // Results are the same on any number of threads (`MultiplyTests`, `AttentionTests`), and other goldens run beside.
    static let nano = Task { try await Transcriber.load(Fixtures.nano, precision: .float32, threads: 1) }
    static let whisperBase = Task { try await Transcriber.load(BundledModel.folder, precision: .float32, threads: 1) }
    static let whisperBaseInt8 = Task { try await Transcriber.load(BundledModel.folder, precision: .int8) }
}

/// Transcripts of faster-whisper: `Tests/Fixtures/goldens/transcription`, described in the README there.
struct TranscriptionGoldens: Decodable {
    struct File: Decodable {
        /// `file` when both decode the same samples, `ffmpeg` when each decodes the file itself.
        var samples: String
        var language: String
        var language_probability: Double
        var language_probs: [LanguageProbability]?
        var segments: [Segment]
        /// The audio's file, or several with a + between them, where the entry's name says more than that.
        var file: String?
        var options: GoldenOptions?
    }

    struct Segment: Decodable {
        var seek: Int
        var start: Double
        var end: Double
        var text: String
        var tokens: [Int]
        var avg_logprob: Double
        var compression_ratio: Double
        var no_speech_prob: Double
        var words: [Word]?
    }

    struct Word: Decodable {
        var word: String
        var start: Double
        var end: Double
        var probability: Double
    }

    /// A pair in JSON: a code and its probability.
    struct LanguageProbability: Decodable {
        var code: String
        var probability: Double

        init(from decoder: any Decoder) throws {
            var pair = try decoder.unkeyedContainer()
            code = try pair.decode(String.self)
            probability = try pair.decode(Double.self)
        }
    }

    var beam_size: Int?
    var task: String?
    var files: [String: File]

    init(_ name: String) throws {
        let url = Fixtures.file("goldens/transcription/\(name).json")
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
    }

    /// The audio of a file, by its path from the package's folder.
    static func url(_ path: String) -> URL { Fixtures.root.appendingPathComponent(path) }
}

extension TranscriptionGoldens.File {
    /// Expects the golden's tokens, and its numbers as far as two ways of summing can agree; counts words.
    func expect(_ transcript: Transcript, _ name: String, _ words: inout GoldenWordCount) {
        #expect(transcript.language == language, "\(name)")
        #expect(abs(transcript.languageProbability - language_probability) < 1e-3, "\(name)")
        #expect(transcript.segments.map(\.tokens) == segments.map(\.tokens), "\(name)")
        for (segment, reference) in zip(transcript.segments, segments) {
            #expect(segment.text == reference.text, "\(name)")
            #expect(abs(segment.averageLogProbability - reference.avg_logprob) < 2e-3, "\(name)")
            #expect(abs(segment.compressionRatio - reference.compression_ratio) < 1e-5, "\(name)")
            #expect(abs(segment.noSpeechProbability - reference.no_speech_prob) < 1e-3, "\(name)")
            if let goldenWords = reference.words {
                words.count(segment.words ?? [], goldenWords)
            } else {
                #expect(segment.seek == reference.seek, "\(name)")
                #expect(
                    abs(segment.start - reference.start) < 1e-3 && abs(segment.end - reference.end) < 1e-3, "\(name)")
            }
        }
    }
}

/// How many words are where faster-whisper puts them, to one position of 20 ms.
struct GoldenWordCount {
    var all = 0
    var near = 0

    mutating func count(_ words: [Word], _ goldens: [TranscriptionGoldens.Word]) {
        all += max(words.count, goldens.count)
        near += zip(words, goldens).count { word, golden in
            word.rawText == golden.word && abs(word.start - golden.start) < 0.0201
                && abs(word.end - golden.end) < 0.0201
        }
    }
}
