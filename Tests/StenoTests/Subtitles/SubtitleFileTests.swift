import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

@Suite struct LyricsWriterTests {
    private var transcript: Transcript {
        var transcript = Transcript.saying(timed((" Hello", 0.004, 0.5), (",", 0.5, 0.5), (" world.", 1.2349, 2)))
        transcript.segments += Transcript.saying(timed((" Again.", 6000.999, 6001.5))).segments
        transcript.duration = 6002
        return transcript
    }

    /// Minutes exceed 99, since the format has no hours, and no line stays up during silence.
    @Test func aSegmentIsALine() {
        #expect(
            TranscriptFormat.lrc.text(of: transcript) == """
                [re:Steno]
                [length:100:02]
                [00:00.00]Hello, world.
                [00:02.00]
                [100:01.00]Again.
                [100:01.50]

                """)
    }

    @Test func karaokeIsEnhancedLRC() {
        let options = SubtitleOptions().with { $0.highlight = .karaoke }
        let text = TranscriptFormat.lrc.text(of: transcript, subtitles: options)
        #expect(text.contains("\n[00:00.00]<00:00.00>Hello<00:00.50>, <00:01.23>world.<00:02.00>\n"))
        #expect(text.contains("\n[100:01.00]<100:01.00>Again.<100:01.50>\n"))
    }

    @Test func everyLineOfACueIsALine() {
        let text = TranscriptFormat.lrc.text(
            of: .saying("I changed my mind because of a carpenter, who hurried nobody."), subtitles: .readable)
        #expect(text.contains("\n[00:00.00]I changed my mind because of a carpenter,\n[00:02.52]who hurried nobody.\n"))
    }

    @Test func lineFeedsBecomeSpacesAndNoSegmentsGiveOnlyTheHeader() {
        var transcript = transcript
        transcript.segments[0].words = nil
        transcript.segments[0].text = " two\n lines "
        #expect(TranscriptFormat.lrc.text(of: transcript).contains("[00:00.00]two lines\n"))
        let empty = Transcript(language: "en", duration: 61.9, segments: [])
        #expect(TranscriptFormat.lrc.text(of: empty) == "[re:Steno]\n[length:01:01]\n")
    }
}

/// Compares every writer with the files that openai-whisper's own writers made
/// (`Tools/goldens/make_writer_goldens.py`).
@Suite struct WriterGoldenTests {
    static let cases = ["empty", "plain", "hours", "rounding", "text"]

    @Test(arguments: cases, [TranscriptFormat.txt, .srt, .vtt, .tsv])
    func writesWhatOpenAIWhisperWrites(name: String, format: TranscriptFormat) throws {
        var golden = try String(contentsOf: file(name, format.fileExtension), encoding: .utf8)
        // openai-whisper does not escape text, so a browser drops words in angle brackets.
        if format == .vtt { golden.replace("& <b>tags</b>", with: "&amp; &lt;b>tags&lt;/b>") }
        let written = format.text(of: try transcript(name))
        #expect(Array(written.utf8) == Array(golden.utf8))
    }

    @Test(arguments: cases) func jsonIsReadBackAsTheSameTranscript(name: String) throws {
        func inMilliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded(.toNearestOrEven) / 1000 }
        var original = try transcript(name)
        let written = TranscriptFormat.json.text(of: original)
        let read = try JSONDecoder().decode(Transcript.self, from: Data(written.utf8))
        original.duration = inMilliseconds(original.duration)
        for index in original.segments.indices {
            original.segments[index].start = inMilliseconds(original.segments[index].start)
            original.segments[index].end = inMilliseconds(original.segments[index].end)
        }
        #expect(read == original)
    }

    private func transcript(_ name: String) throws -> Transcript {
        try JSONDecoder().decode(Transcript.self, from: Data(contentsOf: file(name, "json")))
    }

    private func file(_ name: String, _ fileExtension: String) -> URL {
        Fixtures.file("writers/\(name).\(fileExtension)")
    }
}

#if os(Linux) || os(macOS)
    /// Other people's programs read the files: ffmpeg finds every cue, with its times and its text.
    @Suite(.serialized, .needsFFmpeg) struct SubtitleFileTests {
        private let folder = TemporaryFolder.ofSuite()
        private let transcript: Transcript

        init() {
            var random = RandomTranscript(.english, seed: 11)
            transcript = random.make()
        }

        private func options(_ highlight: WordHighlight) -> SubtitleOptions {
            SubtitleOptions().with { ($0.highlight, $0.splitting) = (highlight, CueSplitting()) }
        }

        /// The file as ffmpeg writes it again in SubRip, a format with both times.
        private func converted(_ format: TranscriptFormat, _ options: SubtitleOptions) async throws -> String {
            let input = folder.url.appendingPathComponent("in." + format.fileExtension)
            let output = folder.url.appendingPathComponent("out.srt")
            try Data(format.text(of: transcript, subtitles: options).utf8).write(to: input)
            try await runFFmpeg(["-i", input.path, output.path])
            // Between the lines of a cue, ffmpeg writes the line ends of Windows.
            return try String(contentsOf: output, encoding: .utf8).replacing("\r\n", with: "\n")
        }

        /// Karaoke, which ffmpeg does not know, is plain text, and underlined words stay underlined.
        @Test(arguments: [
            (TranscriptFormat.srt, WordHighlight.none, WordHighlight.none), (.vtt, .none, .none),
            (.vtt, .karaoke, .none), (.srt, .underline, .underline),
        ])
        func cuesAreReadBack(format: TranscriptFormat, written: WordHighlight, read: WordHighlight) async throws {
            #expect(transcript.cues(options(written)).count > 10)
            let expected = TranscriptFormat.srt.text(of: transcript, subtitles: options(read))
            #expect(try await converted(format, options(written)) == expected)
        }

        @Test func lyricsHaveEveryLine() async throws {
            let lines = transcript.cues(options(.none)).flatMap(\.lines).map { $0.map(\.text).joined() }
            let texts = try await converted(.lrc, options(.none)).split(separator: "\n").map(String.init)
            #expect(texts.filter(lines.contains) == lines)
        }
    }
#endif
