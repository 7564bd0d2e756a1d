#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import Steno
    @testable import StenoCore

    /// Other people's programs read the files: ffmpeg finds every cue, with its times and its text.
    @Suite(.serialized, .enabled(if: hasFFmpeg, "ffmpeg is not installed")) struct SubtitleFileTests {
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

        @Test(arguments: [TranscriptFormat.srt, .vtt])
        func cuesAreReadBackUnchanged(format: TranscriptFormat) async throws {
            let options = options(.none)
            #expect(transcript.cues(options).count > 10)
            let expected = TranscriptFormat.srt.text(of: transcript, subtitles: options)
            #expect(try await converted(format, options) == expected)
        }

        @Test func unsupportedKaraokeIsPlainText() async throws {
            let expected = TranscriptFormat.srt.text(of: transcript, subtitles: options(.none))
            #expect(try await converted(.vtt, options(.karaoke)) == expected)
        }

        @Test func underlinedWordsStayUnderlined() async throws {
            let options = options(.underline)
            #expect(try await converted(.srt, options) == TranscriptFormat.srt.text(of: transcript, subtitles: options))
        }

        @Test func lyricsHaveEveryLine() async throws {
            let lines = transcript.cues(options(.none)).flatMap(\.lines).map { $0.map(\.text).joined() }
            let texts = try await converted(.lrc, options(.none)).split(separator: "\n").map(String.init)
            #expect(texts.filter(lines.contains) == lines)
        }
    }
#endif
