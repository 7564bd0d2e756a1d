import Steno
import StenoTestSupport
import Testing

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

    @Test func lineFeedsBecomeSpaces() {
        var transcript = transcript
        transcript.segments[0].words = nil
        transcript.segments[0].text = " two\n lines "
        #expect(TranscriptFormat.lrc.text(of: transcript).contains("[00:00.00]two lines\n"))
    }

    @Test func noSegmentsGiveOnlyTheHeader() {
        let empty = Transcript(language: "en", duration: 61.9, segments: [])
        #expect(TranscriptFormat.lrc.text(of: empty) == "[re:Steno]\n[length:01:01]\n")
    }
}
