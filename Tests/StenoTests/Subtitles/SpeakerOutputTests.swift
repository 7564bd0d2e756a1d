import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

struct SpeakerOutputTests {
    private func word(_ text: String, _ start: Double, _ speaker: String) -> Word {
        Word(rawText: " " + text, start: start, end: start + 0.5, probability: 1, speaker: speaker)
    }

    private var transcript: Transcript {
        let first = [word("Hello", 0, "Speaker 1"), word("there.", 0.5, "Speaker 1")]
        let second = [word("Good", 1.5, "Ada <1>"), word("day.", 2, "Ada <1>")]
        return Transcript(
            language: "en", duration: 3,
            segments: [
                Segment(id: 0, start: 0, end: 1, text: " Hello there.", words: first, speaker: "Speaker 1"),
                Segment(id: 1, start: 1.5, end: 2.5, text: " Good day.", words: second, speaker: "Ada <1>"),
            ])
    }

    @Test func theSpeakerPrecedesTheText() {
        let files: KeyValuePairs<TranscriptFormat, String> = [
            .txt: "Speaker 1: Hello there.\nAda <1>: Good day.\n",
            .srt: "1\n00:00:00,000 --> 00:00:01,000\nSpeaker 1: Hello there.\n\n"
                + "2\n00:00:01,500 --> 00:00:02,500\nAda <1>: Good day.\n\n",
            .vtt: "WEBVTT\n\n00:00.000 --> 00:01.000\n<v Speaker 1>Hello there.\n\n"
                + "00:01.500 --> 00:02.500\n<v Ada &lt;1&gt;>Good day.\n\n",
            .tsv: "start\tend\ttext\tspeaker\n0\t1000\tHello there.\tSpeaker 1\n1500\t2500\tGood day.\tAda <1>\n",
        ]
        for (format, text) in files { #expect(format.text(of: transcript) == text) }
        #expect(TranscriptFormat.lrc.text(of: transcript).contains("[00:00.00]Speaker 1: Hello there.\n"))
    }

    @Test func rttmHasALineForEachTurn() {
        #expect(
            TranscriptFormat.rttm.text(of: transcript)
                == "SPEAKER recording 1 0.0 1.0 <NA> <NA> Speaker_1 <NA> <NA>\nSPEAKER recording 1 1.5 1.0 <NA> <NA> Ada_<1> <NA> <NA>\n"
        )
        var found = transcript
        found.speakerTurns = [SpeakerTurn(start: 0.25, end: 1.5, speaker: "Speaker 1")]
        #expect(
            RTTMWriter.write(found, recording: "my talk")
                == "SPEAKER my_talk 1 0.25 1.25 <NA> <NA> Speaker_1 <NA> <NA>\n")
        #expect(TranscriptFormat.rttm.text(of: Transcript(language: "en", duration: 0, segments: [])) == "")
    }

    @Test func jsonHasTheSpeakersAndCorrectionsAndIsReadBack() throws {
        let json = TranscriptFormat.json.text(of: transcript)
        #expect(json.contains(#""speakers": ["Speaker 1", "Ada <1>"]"#))
        #expect(json.contains(#""speaker": "Ada <1>", "words": [{"word": " Good""#))
        #expect(try JSONDecoder().decode(Transcript.self, from: Data(json.utf8)) == transcript)
        #expect(try JSONDecoder().decode(Transcript.self, from: JSONEncoder().encode(transcript)) == transcript)
        let event = TranscriptionEvent(
            .speakers(
                [
                    SpeakerChange(start: 1.5, end: 2, was: "Speaker 1", now: "Speaker 2"),
                    SpeakerChange(start: 0, end: nil, was: "Speaker 2", now: "Ada"),
                ]), position: 3)
        #expect(try TranscriptionEvent(jsonLine: event.jsonLine) == event)
        #expect(
            event.jsonLine.contains(#""changes": [{"start": 1.5, "end": 2.0, "was": "Speaker 1", "now": "Speaker 2"}"#))
    }

    @Test(arguments: [
        SubtitleOptions.readable, SubtitleOptions().with { ($0.maxLineWidth, $0.maxLineCount) = (40, 2) },
        SubtitleOptions().with { $0.maxWordsPerLine = 3 },
    ])
    func aCueHasOneSpeaker(options: SubtitleOptions) {
        let cues = transcript.cues(options)
        #expect(cues.map(\.speaker) == ["Speaker 1", "Ada <1>"])
        #expect(cues.map(\.text) == ["Hello there.", "Good day."])
        #expect(zip(cues, cues.dropFirst()).allSatisfy { $0.end <= $1.start })
    }

    @Test func withoutSpeakersTheFilesAreUnchanged() {
        var plain = transcript
        for index in plain.segments.indices {
            plain.segments[index].speaker = nil
            plain.segments[index].words = plain.segments[index].words?.map { $0.spoken(by: nil) }
        }
        #expect(TranscriptFormat.txt.text(of: plain) == "Hello there.\nGood day.\n")
        #expect(!TranscriptFormat.json.text(of: plain).contains("speaker"))
        #expect(TranscriptFormat.tsv.text(of: plain).hasPrefix("start\tend\ttext\n"))
        #expect(TranscriptFormat.texts == [.txt, .srt, .vtt, .lrc, .json, .tsv])
    }
}

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

    @Test func subRipIsNotEscapedAndHasNoKaraoke() {
        let text = TranscriptFormat.srt.text(of: .saying(words), subtitles: underlined)
        #expect(text.hasPrefix("1\n00:00:01,000 --> 00:00:01,500\n<u>A<b</u> & c.\n\n2\n"))
        let plain = TranscriptFormat.srt.text(of: .saying(words))
        #expect(TranscriptFormat.srt.text(of: .saying(words), subtitles: karaoke) == plain)
    }
}
