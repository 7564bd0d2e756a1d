import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import Steno
@testable import StenoCore

/// Words before a short pause are final there, and their utterance continues.
struct LivePauseTests {
    private let options = LiveOptions(language: "en")

    /// Two phrases with a pause between them, and silence after them; the sample at which the first phrase ends.
    private func phrases(pause: Double) -> (talk: ScriptedTalk, end: Int) {
        let talk = ScriptedTalk([.silence(1), .words(6), .silence(pause), .words(6), .silence(2)])
        return (talk, talk.words[5].end.samples)
    }

    @Test(arguments: [0.02, 0.05, 0.1, 0.15]) func wordsAreFinalAfterAShortPause(cost: Double) throws {
        let (talk, end) = phrases(pause: 0.45)
        var driver = PolicyDriver(talk, options) { cost }
        try driver.finishWithWholeText()
        let last = try driver.final(" w5")
        // The grid costs two windows: one where the silence begins, one where it has lasted long enough.
        #expect((last.position - end).seconds <= max(options.pause, 0.1 + cost) + 0.07)
        #expect(Set(driver.finals.map(\.utterance)) == [0], "the utterance continues after the pause")
        let after = driver.decodings.filter { $0.position > end + 8000 && !$0.decoding.isThorough }
        #expect(
            after.allSatisfy { $0.decoding.request.draft.flatMap(\.handle).starts(with: 0..<6) },
            "final words are expected again")
    }

    /// Punctuation before a word comes with it; what follows the last word waits for the end of the utterance.
    ///
    /// The mark after a sentence is final: where a sentence continues, it does not begin with that mark again.
    @Test(arguments: [(0.4, ","), (0.9, ".")]) func aMarkWaitsForTheEndOfTheUtterance(
        pause: Double, between: String
    ) throws {
        let (talk, _) = phrases(pause: pause)
        var driver = punctuating(talk)
        try driver.finish()
        let phrases = [talk.words[..<6], talk.words[6...]].map { $0.map(\.text).joined() }
        #expect(driver.text == phrases[0] + between + phrases[1] + ".")
        guard between == "," else { return }
        let mark = try #require(driver.marks.last)
        #expect(driver.marks.count == 1 && driver.finals.last?.word.text == " w11", "it has no text of its own")
        #expect(mark.position >= talk.count - 2 * 16_000 + options.endpoint.samples)
    }

    /// The text with its marks is what the next utterance continues.
    @Test func theNextUtteranceContinuesTheTextWithItsMarks() throws {
        var (talk, _) = phrases(pause: 0.4)
        var random = SplitMix64(seed: 2)
        talk.speak(3, using: &random)
        talk.append(0, seconds: 2)
        var driver = punctuating(talk)
        try driver.finish()
        let contexts = Set(
            driver.decodings.map(\.decoding).filter { $0.utterance == 1 }.map { $0.request.context.flatMap(\.handle) })
        #expect(contexts == [Array(0..<6) + [Self.mark] + Array(6..<12) + [Self.mark]])
    }

    /// A doubtful word waits for the end of its utterance.
    @Test(arguments: [(0.95, 0.16), (0.1, 0.6)])
    func aDoubtfulWordWaitsLonger(certainty: Double, silence: Double) throws {
        let (talk, end) = phrases(pause: 1.5)
        let model = AlteredModel(talk) { hypothesis, _ in
            for index in hypothesis.words.indices { hypothesis.words[index].certainty = certainty }
        }
        var driver = PolicyDriver(talk, options, decoder: model) { 0.02 }
        try driver.finishWithWholeText()
        let last = try driver.final(" w5")
        let waited = (last.position - end).seconds
        #expect(waited >= silence && waited < silence + 0.12, "\(waited) s")
    }

    /// Speech after a short silence is decoded with the sentence before it, whose words stay as they are.
    @Test(arguments: [(0.7, true), (1.1, true), (2.0, false)])
    func aSentenceContinues(silence: Double, isJoined: Bool) throws {
        let (talk, end) = phrases(pause: silence)
        var driver = PolicyDriver(talk, options) { 0.05 }
        try driver.finishWithWholeText()
        #expect(Set(driver.finals.map(\.utterance)) == [0, 1])
        let second = driver.decodings.map(\.decoding).filter { $0.utterance == 1 }
        let first = try #require(driver.decodings.first?.decoding)
        #expect(second.allSatisfy { isJoined ? $0.span.lowerBound == first.span.lowerBound : $0.span.lowerBound > end })
        #expect(second.allSatisfy { $0.request.context.flatMap(\.handle) == (isJoined ? [] : Array(0..<6)) })
    }

    /// Short sentences, each decoded once by a slow machine, do not add up to audio that is too long for the model.
    @Test(arguments: [0.05, 2.5]) func manySentencesAreNotOneLongOne(cost: Double) throws {
        let sentences = (0..<20).flatMap { _ in [ScriptedTalk.Part.silence(0.8), .words(3)] }
        let talk = ScriptedTalk(sentences + [.silence(2)], seed: 4)
        var driver = PolicyDriver(talk, options) { cost }
        try driver.finishWithWholeText()
        #expect(driver.decodings.allSatisfy { $0.decoding.span.count < 24.0.samples })
        #expect(driver.decodings.contains { $0.decoding.span.count > 4.0.samples }, "sentences are decoded together")
    }

    /// A model may end its text after the first of two sentences; the second one is then decoded alone.
    @Test func aSentenceNotHeardTogetherIsHeardAlone() throws {
        let (talk, end) = phrases(pause: 0.9)
        let model = AlteredModel(talk) { hypothesis, decoding in
            let origin = decoding.span.lowerBound
            if origin < end - 16_000 { hypothesis.words.removeAll { origin + $0.start.samples >= end } }
        }
        var driver = PolicyDriver(talk, options, decoder: model) { 0.05 }
        try driver.finishWithWholeText()
    }

    /// If the pause ends before the decoding does, its words still become final.
    @Test func aSlowMachineUsesThePauseToo() throws {
        let (talk, end) = phrases(pause: 0.4)
        var driver = PolicyDriver(talk, options) { 0.6 }
        try driver.finishWithWholeText()
        let inPause = driver.decodings.filter { end <= $0.decoding.span.upperBound && $0.position < end + 6400 }
        if let decoding = inPause.first {
            #expect(try driver.final(" w5").position <= decoding.position + 0.7.samples)
        }
    }

    /// A gap shorter than the pause finalises nothing that agreement would not.
    @Test func aDipIsNotAPause() throws {
        let (talk, end) = phrases(pause: 0.15)
        var driver = PolicyDriver(talk, options) { 0 }
        try driver.play(to: end + 0.2.samples)
        #expect(driver.finals.count < 6)
    }

    @Test func aTranslationIsNotFinalAtAPause() throws {
        let (talk, _) = phrases(pause: 0.45)
        let options = options.with { $0.task = .translate }
        var driver = PolicyDriver(talk, options) { 0.05 }
        try driver.finishWithWholeText()
        #expect(driver.finals.allSatisfy { $0.position >= talk.count - 2 * 16_000 + options.endpoint.samples })
    }

    /// Words that the model expects but nobody has spoken yet do not become final.
    @Test func wordsInTheSilenceStayOpen() throws {
        let (talk, end) = phrases(pause: 0.45)
        let model = AlteredModel(talk) { hypothesis, decoding in
            let end = decoding.span.count.seconds
            hypothesis.words.append(UtteranceWord(text: " expected", handle: [3_000_000], start: end, end: end))
        }
        var driver = PolicyDriver(talk, options, decoder: model) { 0.05 }
        try driver.play(to: end + 0.45.samples)
        #expect(driver.finals.map(\.word.text) == talk.words[..<6].map(\.text))
        try driver.finish()
        #expect(driver.finals.filter { $0.word.text == " expected" }.count <= 1, "the last decoding decides")
    }

    private static let mark = 2_000_000

    /// A policy with a model that ends every text with a full stop, and writes a comma where there is a pause.
    private func punctuating(_ talk: ScriptedTalk) -> PolicyDriver {
        func mark(_ text: String, at time: Double) -> UtteranceWord {
            UtteranceWord(text: text, handle: [Self.mark], start: time, end: time)
        }
        let model = AlteredModel(talk) { hypothesis, _ in
            guard let last = hypothesis.words.last else { return }
            hypothesis.words.append(mark(".", at: last.end))
            if let sixth = hypothesis.words.firstIndex(where: { $0.text == " w6" }) {
                hypothesis.words.insert(mark(",", at: hypothesis.words[sixth].start), at: sixth)
            }
        }
        return PolicyDriver(talk, options, decoder: model) { 0.05 }
    }
}
