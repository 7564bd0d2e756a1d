import Steno
import StenoTestSupport
import Testing

@testable import StenoCore

/// Words highlighted as they are spoken, where openai-whisper has no file to compare with.
@Suite struct WordHighlightTests {
    private let words = timed((" A<b", 1, 1.5), (" &", 1.5, 1.5), (" c.", 2, 2.5))
    private let karaoke = SubtitleOptions().with { $0.highlight = .karaoke }
    private let underlined = SubtitleOptions().with { ($0.highlight, $0.splitting) = (.underline, CueSplitting()) }

    @Test func karaokePutsTimesBetweenTheWordsOfWebVTT() {
        #expect(
            TranscriptFormat.vtt.text(of: .saying(words), subtitles: karaoke) == """
                WEBVTT

                00:01.000 --> 00:02.500
                <c>A&lt;b</c> <00:01.500><c>&amp;</c> <00:02.000><c>c.</c>


                """)
    }

    /// The format requires times to increase and to be within the cue.
    @Test func aTimeThatIsNotLaterIsLeftOut() {
        let words = timed((" a", 1, 2), (" b", 1, 2), (" c", 1.5, 2), (" d", 1.2, 1.3), (" e", 2, 2))
        let text = TranscriptFormat.vtt.text(of: .saying(words), subtitles: karaoke)
        #expect(text.contains("\n<c>a</c> <c>b</c> <00:01.500><c>c</c> <c>d</c> <c>e</c>\n"))
    }

    @Test func subRipHasNoKaraoke() {
        let transcript = Transcript.saying(words)
        #expect(
            TranscriptFormat.srt.text(of: transcript, subtitles: karaoke)
                == TranscriptFormat.srt.text(of: transcript))
    }

    @Test func underliningCoversACueThatStaysLonger() {
        #expect(
            TranscriptFormat.vtt.text(of: .saying(words, duration: 9), subtitles: underlined)
                == """
                WEBVTT

                00:01.000 --> 00:01.500
                <u>A&lt;b</u> &amp; c.

                00:01.500 --> 00:02.000
                A&lt;b &amp; c.

                00:02.000 --> 00:02.500
                A&lt;b &amp; <u>c.</u>


                """)
    }

    @Test func subRipIsNotEscaped() {
        let text = TranscriptFormat.srt.text(of: .saying(words), subtitles: underlined)
        #expect(text.hasPrefix("1\n00:00:01,000 --> 00:00:01,500\n<u>A<b</u> & c.\n\n2\n"))
    }
}
