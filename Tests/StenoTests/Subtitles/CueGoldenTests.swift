import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoCore

/// Compares cues and highlighted words with those of openai-whisper's own writers
/// (`Tools/goldens/make_writer_goldens.py`).
@Suite struct CueGoldenTests {
    struct Golden: Decodable {
        struct Options: Decodable {
            let max_line_width: Int?
            let max_line_count: Int?
            let max_words_per_line: Int?
            let highlight_words: Bool?
        }
        let `case`: String
        let options: Options
        let srt: String
        let vtt: String
    }

    private static let goldens = Result {
        try JSONDecoder().decode([Golden].self, from: Data(contentsOf: Fixtures.file("writers/cues.json")))
    }

    @Test func everyOptionGivesTheFilesOfOpenAIWhisper() throws {
        let goldens = try Self.goldens.get()
        #expect(goldens.count == 44)
        for golden in goldens {
            let file = Fixtures.file("writers/\(golden.case).json")
            let transcript = try JSONDecoder().decode(Transcript.self, from: Data(contentsOf: file))
            let options = SubtitleOptions().with {
                ($0.maxLineWidth, $0.maxLineCount) = (golden.options.max_line_width, golden.options.max_line_count)
                $0.maxWordsPerLine = golden.options.max_words_per_line
                $0.highlight = golden.options.highlight_words == true ? .underline : .none
            }
            for (format, text) in [(TranscriptFormat.srt, golden.srt), (.vtt, golden.vtt)] {
                let written = format.text(of: transcript, subtitles: options)
                #expect(Array(written.utf8) == Array(text.utf8), "\(golden.case) \(format) \(golden.options)")
            }
        }
    }

    @Test func markupInATextIsEscapedInWebVTT() {
        let transcript = Transcript.saying("R&D <laughs> 1 < 2 --> 3")
        #expect(TranscriptFormat.vtt.text(of: transcript).contains("\nR&amp;D &lt;laughs> 1 &lt; 2 -> 3\n"))
        #expect(TranscriptFormat.srt.text(of: transcript).contains("\nR&D <laughs> 1 < 2 -> 3\n"))
        let options = SubtitleOptions().with { $0.highlight = .underline }
        #expect(TranscriptFormat.vtt.text(of: transcript, subtitles: options).contains("<u>R&amp;D</u> &lt;laughs>"))
    }

    /// openai-whisper forgets to replace it if there are words, which breaks the file.
    @Test func textNeverContainsTheArrow() {
        let transcript = Transcript.saying(timed((" a", 0, 1), (" --> b", 1, 2)))
        for format in [TranscriptFormat.srt, .vtt] {
            let text = format.text(of: transcript)
            #expect(text.contains("a -> b"))
            #expect(text.components(separatedBy: "-->").count == 2)
        }
    }
}

extension Transcript {
    /// A transcript of one segment that has these words.
    static func saying(_ words: [Word], duration: Double? = nil) -> Transcript {
        let start = words.first?.start ?? 0, end = words.last?.end ?? 0
        let segment = Segment(id: 0, start: start, end: end, text: words.map(\.rawText).joined(), words: words)
        return Transcript(language: "en", duration: duration ?? end, segments: [segment])
    }

    /// A transcript of a text whose words take some time per character.
    static func saying(_ text: String, secondsPerCharacter: Double = 0.06, start: Double = 0) -> Transcript {
        let words = spoken(text, from: start, perLetter: secondsPerCharacter)
        return .saying(words, duration: (words.last?.end ?? start) + 5)
    }
}
