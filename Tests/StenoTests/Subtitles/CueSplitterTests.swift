import Testing

@testable import Steno
@testable import StenoCore

/// Where cues and lines end, by example.
@Suite struct CueSplitterTests {
    private func texts(_ transcript: Transcript, _ change: (inout CueSplitting) -> Void = { _ in }) -> [String] {
        cues(transcript, change).map(\.text)
    }

    private func cues(_ transcript: Transcript, _ change: (inout CueSplitting) -> Void = { _ in }) -> [Cue] {
        transcript.cues(SubtitleOptions().with { $0.splitting = CueSplitting().with(change) })
    }

    /// A rule, and cues as it wants them; they have all of the text.
    @Test func cuesAndLinesEndByRule() {
        let rules: KeyValuePairs<String, [String]> = [
            "Text that fits on a line stays on one.": ["Good evening, everyone, and thank you."],
            "A sentence is a cue.": [
                "I changed my mind because of a carpenter.", "He had lost his hearing\nin a workshop full of saws.",
            ],
            "Short sentences share one.": ["Yes. No. I do not know what you mean."],
            "A long sentence ends its cues where phrases end.": [
                "When he did not understand,\nhe raised one finger,",
                "and they started again,\nmore slowly, and I noticed",
                "that the second version was nearly\nalways more honest than the first.",
            ],
            "Names and articles stay with their nouns.": [
                "We would like to thank\nour colleague Margaret Thompson", "for the wonderful photographs.",
            ],
        ]
        for (rule, cues) in rules {
            let text = cues.joined(separator: " ").replacing("\n", with: " ")
            #expect(texts(.saying(text)) == cues, "\(rule)")
        }
    }

    @Test func otherLanguagesHaveTheirOwnSmallWords() {
        let text = "Wir haben uns gestern mit der Kollegin in der Küche über den neuen Vertrag unterhalten."
        for line in cues(.saying(text)).flatMap(\.lines).map({ $0.map(\.text).joined() }) {
            #expect(!["mit", "der", "in", "über", "den"].contains { line.hasSuffix(" " + $0) }, "\(line)")
        }
    }

    @Test func aPauseEndsACueAndAnAbbreviationDoesNotEndASentence() {
        var words = Transcript.saying("wait for it").segments[0].words ?? []
        words += Transcript.saying("here it is", start: 4).segments[0].words ?? []
        #expect(texts(.saying(words)) == ["wait for it", "here it is"])
        let text = texts(.saying("I told Dr. J. F. Smith that it hurts.")) { $0.lineWidth = 22 }
        #expect(text == ["I told Dr. J. F. Smith\nthat it hurts."])
    }

    @Test func aCueStaysUntilItCanBeReadAndForASecondAtLeast() {
        let cues = cues(.saying("Incomprehensibilities", secondsPerCharacter: 0.02))
        // 21 characters at 17 a second.
        #expect(abs(cues[0].end - 21.0 / 17) < 1e-9)
        #expect(self.cues(.saying("Yes.", secondsPerCharacter: 0.02)).map { $0.end - $0.start } == [1])
    }

    @Test func aSmallGapIsClosed() {
        var words = Transcript.saying("This is the first of two sentences.").segments[0].words ?? []
        let next = (words.last?.end ?? 0) + 0.4
        words += Transcript.saying("And this is the second of them.", start: next).segments[0].words ?? []
        let cues = cues(.saying(words))
        #expect(cues.count == 2)
        #expect(abs(cues[1].start - cues[0].end - 0.083) < 1e-9)
    }

    @Test func japaneseHasShorterLinesAndItsMarksStay() {
        let text = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。何でも薄暗いじめじめした所でニャーニャー泣いていた事だけは記憶している。"
        let words = text.enumerated().map { index, character in
            Word(rawText: String(character), start: Double(index) * 0.15, end: Double(index + 1) * 0.15, probability: 1)
        }
        let cues = cues(.saying(words))
        for line in cues.flatMap(\.lines).map({ $0.map(\.text).joined() }) {
            #expect(line.count <= 13, "\(line)")
            #expect(line.first.map("。、ャーっ".contains) == false, "\(line)")
        }
        #expect(cues.first?.text == "吾輩は猫である。")
        #expect(cues.flatMap(\.lines).contains { $0.map(\.text).joined().contains("ニャーニャー") })
    }

    /// A translation has the language of the audio, so the script is what counts.
    @Test func theScriptDecidesNotTheLanguage() {
        var transcript = Transcript.saying("I am a cat, and as yet I have no name at all, they say.")
        transcript.language = "ja"
        #expect(texts(transcript).joined().split(separator: "\n").contains { $0.count > 13 })
    }

    @Test func segmentsWithoutWordsAreSplitToo() {
        var transcript = Transcript.saying(
            "I changed my mind because of a carpenter. He had lost his hearing in a workshop.")
        let withWords = cues(transcript)
        transcript.segments[0].words = nil
        let estimated = cues(transcript)
        #expect(estimated.map(\.text) == withWords.map(\.text))
        for (one, other) in zip(estimated, withWords) { #expect(abs(one.start - other.start) < 0.1) }
    }

    @Test func scriptsAreRecognised() {
        #expect(CueScript(of: ["Hello, 世界"]) == .alphabet && CueScript(of: ["你好，世界。OK"]) == .chinese)
        #expect(CueScript(of: ["今日は良い天気です"]) == .japanese && CueScript(of: ["오늘 날씨가 좋네요"]) == .korean)
        #expect(CueScript(of: []) == .alphabet)
    }
}
