import Foundation
import StenoTestSupport

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

    /// Reads the golden of that name.
    init(_ name: String) throws {
        let url = Fixtures.file("goldens/transcription/\(name).json")
        self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: url))
    }

    /// The audio of a file, by its path from the package's folder.
    static func url(_ path: String) -> URL { Fixtures.root.appendingPathComponent(path) }
}
