import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoCore

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
