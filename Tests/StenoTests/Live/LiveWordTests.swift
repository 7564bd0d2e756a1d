import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

struct LiveWordTests {
    /// A text as words of a quarter of a second; `*` marks one with a tenth of a second, `?` an improbable one.
    private func words(_ text: String) -> [LiveWord] {
        var time = 0.0
        return text.split(separator: " ").map { written in
            let spoken = written.filter { !"*?".contains($0) }
            let (start, duration) = (time, written.contains("*") ? 0.1 : 0.25)
            time += duration
            return LiveWord(
                UtteranceWord(
                    text: " " + spoken, handle: [1], start: start, end: time,
                    probability: written.contains("?") ? 0.44 : 0.9),
                origin: 16_000)
        }
    }

    /// What base wrote where speech begins: "Thank thank you", the second for 0.12 s with a probability of 0.44.
    @Test(arguments: [
        ("thank thank*? you", nil, "thank you"), ("Thank , thank*? you", nil, "Thank , you"),
        ("being being*? being*? late", nil, "being late"),
        // The last final word counts too.
        ("you*? watch", "you", "watch"), ("you*? watch", "attention", "you watch"),
        // People do repeat words: then there is time for both, or the model is sure.
        ("no no? no", nil, "no no no"), ("that that* is", nil, "that that is"),
        ("you*? watch you*?", nil, "you watch you"), ("very*? much", nil, "very much"),
    ])
    func aRepetitionThatNobodySpokeIsRemoved(heard: String, final: String?, kept: String) {
        #expect(words(heard).withoutRepetitions(after: final).map(\.text).joined() == " " + kept)
    }

    /// No part of a compound or contraction is final before the rest of its word.
    @Test(arguments: [
        ([" rose", "-breast", " and"], 1, 0), ([" a", " rose", "-breast", " and"], 2, 1),
        ([" a", " rose", "-breast", " and"], 3, 3), ([" she", "'ll", " go"], 1, 0), ([" one", ",", " two"], 1, 1),
        ([" one", " two"], 2, 2), ([" one", "."], 1, 1), ([" one", " \"", "two"], 1, 1), (["今日", "は", "雨"], 1, 1),
    ])
    func noWordIsFinalInPart(texts: [String], count: Int, whole: Int) {
        let words = texts.map { LiveWord(UtteranceWord(text: $0, handle: [1], start: 0, end: 1), origin: 0) }
        #expect(words[...].wholeWords(count) == whole)
    }

    /// The alignment gives a text's last word the rest of the audio, but nobody speaks that slowly.
    @Test func aWordEndsInTime() {
        func end(_ text: String) -> Double {
            LiveWord(UtteranceWord(text: text, handle: [1], start: 1, end: 9), origin: 0).end.seconds
        }
        #expect(end(" a") < 2 && end(" uncharacteristically") > 3 && end(" 1961") > 2.5)
        #expect(LiveWord(UtteranceWord(text: " a", handle: [1], start: 1, end: 1.2), origin: 0).end == 1.2.samples)
    }
}

/// No text of a real reader is final before its last word has ended: “noise” is half of “noiseless”.
///
/// Each final text is what a reader of captions would have if the recording were cut there, so that one run of a recording
/// tries all its cuts. Whether a word has ended is decided by the text of the whole recording: a final word that is the
/// beginning of a longer one there, and ends in the middle of it, is half a word. `STENO_LONG=1` tries all
/// recordings instead of every other one, and `soonest` too.
@Suite(
    .serialized,
    .enabled(if: hasFFmpeg, "ffmpeg is not installed"))
struct HalfWordTests {
    @Test(arguments: isLong ? [LiveBalance.soonest, .balanced] : [.balanced])
    func noFinalTextStopsInsideAWord(balance: LiveBalance) async throws {
        // In float32, so that every machine gives the same text.
        let transcriber = try await Transcriber.load(.bundled, precision: .float32)
        var texts = 0
        var halves: [String] = []
        for file in try recordings() {
            let samples = try await decoded(file)
            let whole = try await transcriber.transcribe(
                samples: samples, options: TranscriptionOptions(language: "en", wordTimestamps: true)
            ).segments.flatMap { $0.words ?? [] }
            let engine = try ModelEngine(
                model: transcriber.model, options: LiveOptions(language: "en", balance: balance), pace: .fast)
            let finals = try await engine.events(hearing: samples).transcript.finals
            texts += finals.count
            for (index, final) in finals.enumerated() {
                guard let last = final.words.last(where: { !Word.key($0.rawText).isEmpty }) else { continue }
                let next = index + 1 < finals.count ? finals[index + 1].text : ""
                let isContinued = last.rawText.last?.isLetter == true && next.first?.isLetter == true
                let longer = whole.first { isHalf(last, of: $0) }
                guard isContinued || longer != nil else { continue }
                halves.append("\(file.lastPathComponent): “\(final.text)” of “\(longer?.rawText ?? next)”")
            }
        }
        #expect(texts > (isLong ? 60 : 20), "a text is final in several pieces: \(texts)")
        #expect(halves.isEmpty, "\(halves.joined(separator: "\n"))")
    }

    private func recordings() throws -> [URL] {
        let all = try FileManager.default.contentsOfDirectory(
            at: Fixtures.file("readers"), includingPropertiesForKeys: nil
        ).filter { $0.pathExtension == "flac" }.sorted { $0.path < $1.path }
        return isLong ? all : stride(from: 0, to: all.count, by: 2).map { all[$0] }
    }

    private func isHalf(_ word: Word, of whole: Word) -> Bool {
        let (key, longer) = (Word.key(word.rawText), Word.key(whole.rawText))
        return longer.hasPrefix(key) && longer != key && word.end > whole.start + Self.margin
            && word.end < whole.end - Self.margin
    }

    /// Word times of two decodings of the same word differ by less than this.
    private static let margin = 0.1
}

/// How many words pass each rule of a live text, given the words and the audio.
struct WordRulesTests {
    /// Words of 0.3 s with their starts, in seconds; all are certain.
    private func words(_ timed: (String, Double)..., probability: Double = 1) -> [LiveWord] {
        timed.map {
            LiveWord(
                UtteranceWord(text: $0, start: $1, end: $1 + 0.3, probability: probability, certainty: 1), origin: 0)
        }
    }

    private func text(_ decodings: [LiveWord]..., isThorough: Bool = false, heardTo: Double = 2) -> PendingText {
        var text = PendingText(isThorough: isThorough)
        for words in decodings { text.update(with: words, voice: 1, heardTo: heardTo.samples) }
        return text
    }

    @Test func quickDecodingsHaveToAgreeAndTheLastWordMayGrow() {
        let (three, none, rule) = (
            words((" a", 0), (" b", 0.4), (" c", 0.8)), text(isThorough: true), FinalRule(.balanced)
        )
        #expect(rule.safeCount(text(three), beside: none) == 0)
        #expect(rule.safeCount(text(three, three), beside: none) == 2)
        #expect(rule.safeCount(text(three, three, heardTo: 0.75), beside: none) == 1, "b may be half a word")
        let other = text(words((" x", 0)), isThorough: true)
        #expect(rule.safeCount(text(three, three), beside: other) == 0, "a thorough decoding has another word")
        let thorough = text(three, isThorough: true)
        #expect(rule.safeCount(thorough, beside: thorough) == 2)
        #expect(FinalRule(.balanced, agreesTwice: true).safeCount(thorough, beside: thorough) == 0)
    }

    @Test func aPauseMakesTheWordsBeforeItFinal() {
        func settled(_ words: [LiveWord], _ balance: LiveBalance = .balanced) -> (count: Int, isAll: Bool) {
            FinalRule(balance).settledCount(
                text(words), before: 1.0.samples, after: nil, guards: nil, speech: SpeechProfile(step: 0.1))
        }
        let two = words((" a", 0), (" b", 0.4), (" c", 1.2))
        #expect(settled(two) == (2, true))
        #expect(settled(two, .accurate) == (0, false), "words wait for the end of the utterance")
        #expect(settled(words((" no", 0), (" no", 0.4), probability: 0.3)) == (1, false), "a stutter")
        #expect(settled(words((" she", 0), ("'ll", 0.4), (" c", 1.2))) == (2, true))
        #expect(settled(words((" she", 0.5), ("'ll", 1.2))) == (0, false), "half a word")
    }

    @Test func aWordIsShownWhenItHasProbablyEnded() {
        let clear = words((" a", 0)), both = clear + words((" b", 0.4), probability: 0.5)
        let (quick, thorough) = (text(both), text(both, isThorough: true, heardTo: 1))
        let none = text(isThorough: true)
        func shown(_ thorough: PendingText, _ quick: PendingText, _ heardTo: Double, agreesTwice: Bool = false) -> Int {
            DisplayRule(showAfter: 0.5.samples, agreesTwice: agreesTwice)
                .words(of: thorough, and: quick, twice: 0, heardTo: heardTo.samples).count
        }
        #expect(shown(none, quick, 1.3) == 1, "an improbable word is shown later")
        #expect(shown(none, quick, 1.5) == 2)
        #expect(shown(thorough, text(), 1) == 2, "a thorough decoding hears both")
        #expect(shown(thorough, text(), 1, agreesTwice: true) == 1)
    }

    @Test func longTextIsTrimmedAtAPhraseAndLeavesContext() {
        let all = (0..<12).flatMap { words((" w", Double($0))) }
        #expect(TrimRule.count(all, heardTo: 10.0.samples) == 5, "five seconds stay")
        var marked = all
        marked.insert(contentsOf: words((",", 2.5)), at: 3)
        #expect(TrimRule.count(marked, heardTo: 10.0.samples) == 4)
        #expect(TrimRule.count(all, heardTo: 0) == 10, "two words stay in any case")
        #expect(TrimRule.count(Array(all[..<4]), heardTo: 10.0.samples) == nil)
    }

    @Test func textThatCannotBeSaidInItsTimeIsWrong() {
        func isSpeakable(letters: Int, in seconds: Double) -> Bool {
            HypothesisCheck.isSpeakable(
                words((" " + String(repeating: "a", count: letters), 0)), from: 0, to: seconds.samples)
        }
        #expect(isSpeakable(letters: 8, in: 0) && !isSpeakable(letters: 9, in: 0))
        #expect(isSpeakable(letters: 48, in: 1) && !isSpeakable(letters: 49, in: 1))
        #expect(HypothesisCheck.countBeforeLoop(words((" a", 0), (" a", 1)), nil) == 2)
    }

    /// Three seconds of speech.
    @Test func speechWithoutWordsIsOmitted() {
        let speech = SpeechProfile(step: 0.1, probabilities: [Float](repeating: 1, count: 30))
        func omits(_ words: [LiveWord], isLast: Bool = false) -> Bool {
            HypothesisCheck.omitsSpeech(words, from: 0, isLast: isLast, speech)
        }
        #expect(omits(words((" a", 1))) && !omits(words((" a", 0.5))))
        #expect(
            omits(words((" a", 0.5)), isLast: true)
                && !omits(words((" a", 0.5), (" b", 1.2), (" c", 1.9)), isLast: true))
        #expect(omits(words((" a", 0.5), (" b", 1.9))))
        #expect(!omits(words((".", 1)), isLast: true), "no words at all are another matter")
    }
}
