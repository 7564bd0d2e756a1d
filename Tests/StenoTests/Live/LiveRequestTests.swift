import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import Steno
@testable import StenoCore

/// Requests in the middle of a session: finalize, clear, change of settings, a gap in the audio.
struct LiveRequestTests {
    private let talk = ScriptedTalk.monologue(20, seed: 1, after: 1, before: 2)

    @Test func nothingToDecodeIsFinalAtOnce() throws {
        var driver = PolicyDriver(talk)
        try driver.play(to: 8000)
        try driver.perform { $0.finalize(through: 8000) }
        #expect(driver.finalized.map(\.sample) == [8000])
    }

    /// Earlier speech is final soon, while somebody still speaks; the report comes after its words.
    @Test(arguments: [0.0, 0.1, 0.5]) func finalizeDoesNotWaitForAPause(cost: Double) throws {
        var driver = PolicyDriver(talk) { cost }
        try driver.play(to: 4 * 16_000)
        let sample = driver.position
        try driver.perform { $0.finalize(through: sample) }
        try driver.play(to: sample + (2 * cost + 0.1).samples)
        let before = talk.words.filter { ($0.start + $0.end) / 2 < sample.seconds }
        #expect(driver.finalized.map(\.sample) == [sample] && driver.finalized.map(\.words) == [before.count])
        try driver.finishWithWholeText()
        #expect(driver.finalized.count == 1, "it is reported once")
    }

    /// Somebody has just begun to speak: the first syllable, too short for a text of its own, is not lost.
    @Test(arguments: [1, 2]) func finalizeAtTheFirstSyllableCutsNothing(windows: Int) throws {
        var driver = PolicyDriver(talk)
        try driver.play(to: 15_000)
        while driver.policy.gate.quiet > 0 || !driver.policy.gate.isOpen {
            try driver.play(to: driver.position + VoiceActivity.windowLength)
        }
        try driver.play(to: driver.position + (windows - 1) * VoiceActivity.windowLength)
        let sample = driver.position
        try driver.perform { $0.finalize(through: sample) }
        #expect(driver.finalized.map(\.sample) == [sample])
        try driver.finish()
        #expect(driver.text == talk.text && driver.skipped.isEmpty)
        let first = try #require(driver.decodings.first).decoding
        #expect(first.span.lowerBound < sample)
    }

    @Test func clearForgetsPartialText() throws {
        let model = ScriptedModel(talk)
        var driver = PolicyDriver(talk, decoder: model)
        try driver.play(to: 4 * 16_000)
        let (kept, position) = (driver.finals.count, driver.position)
        try driver.perform { $0.clear() }
        #expect(driver.finals.count == kept)
        #expect(driver.skipped.map(\.reason) == [.cleared])
        try driver.finish()
        let after = talk.words.filter { ($0.start + $0.end) / 2 >= position.seconds }
        #expect(driver.finals.dropFirst(kept).map(\.word.text) == after.map(\.text))
        let next = try #require(
            driver.decodings.first { $0.position > position && $0.decoding.span.lowerBound >= position })
        #expect(next.decoding.request.context.isEmpty)
    }

    /// Final text stays, speech after the time is transcribed, and the rest is reported and lost.
    @Test func speechBeforeATimeIsForgotten() throws {
        let options = LiveOptions(language: "en", balance: .accurate).with { $0.step = 10 }
        var driver = PolicyDriver(talk, options)
        try driver.play(to: 4 * 16_000)
        #expect(driver.finals.isEmpty && driver.position > 3 * 16_000)
        try driver.perform { $0.forget(before: 3 * 16_000) }
        #expect(driver.skipped.map(\.reason) == [.cleared] && driver.skipped.first?.span.upperBound == 3 * 16_000)
        try driver.finish()
        let after = talk.words.filter { ($0.start + $0.end) / 2 >= 3 }
        #expect(driver.finals.map(\.word.text) == after.map(\.text) && after.count < talk.words.count)
        // Nothing was open before that time: there is nothing to forget.
        #expect(driver.policy.forget(before: 16_000).isEmpty)
    }

    /// Speech before the change is decoded with the old settings, speech after it with the new ones.
    @Test func newSettingsApplyFromHereOn() throws {
        var driver = PolicyDriver(talk)
        try driver.play(to: 4 * 16_000)
        let position = driver.position
        try driver.perform { $0.change(SpeechSettings(language: "de", task: .translate, vocabulary: ["Steno"])) }
        try driver.finishWithWholeText()
        for (_, decoding) in driver.decodings {
            let isNew = decoding.span.lowerBound >= position
            #expect(decoding.request.settings.language == (isNew ? "de" : "en"))
            #expect(decoding.request.settings.task == (isNew ? .translate : .transcribe))
            #expect(decoding.request.settings.vocabulary == (isNew ? ["Steno"] : []))
            #expect(decoding.span.upperBound <= position || isNew, "no decoding crosses the change")
        }
        let first = try #require(driver.decodings.first { $0.decoding.span.lowerBound >= position })
        #expect(first.decoding.request.context.isEmpty, "text in another language is no context")
    }

    /// A language that was detected holds until the settings change, and is detected again after that.
    @Test func theLanguageIsDetectedAgain() throws {
        let talk = ScriptedTalk.monologue(40, seed: 1, after: 1, before: 2)
        var driver = PolicyDriver(talk, LiveOptions())
        try driver.play(to: 5 * 16_000)
        let position = driver.position
        #expect(driver.decodings.last?.decoding.request.settings.language == "en")
        try driver.perform { $0.change(SpeechSettings(vocabulary: ["Steno"])) }
        try driver.finish()
        let first = try #require(driver.decodings.first { $0.decoding.span.lowerBound >= position })
        #expect(first.decoding.request.settings.language == nil)
        #expect(driver.text == talk.text)
    }

    /// Whether the language may switch belongs to the session, not to the settings that change in the middle of it.
    @Test(arguments: [false, true]) func switchingLanguagesOutlastsAChange(switches: Bool) throws {
        var language = SpokenLanguage(SpeechSettings(), switches: switches, after: 2)
        language.begin(SpeechSettings(vocabulary: ["Steno"]))
        let german = LanguageDetection(language: "de", probability: 0.9)
        let isAccepted = [1.9, 2].map { language.accept(german, after: $0.samples) }
        #expect(isAccepted == [false, true])
        language.begin(SpeechSettings(vocabulary: ["Steno"]))
        #expect(language.known == (switches ? nil : "de"))
    }

    /// A gap in the middle of speech ends the utterance; it takes no time and no audio.
    @Test(arguments: [1, 100, 2_700_000]) func aGapTakesNoTime(windows: Int) throws {
        var policy = LivePolicy(LiveOptions(language: "en"))
        var actions: [LiveAction] = []
        for _ in 0..<100 { actions += policy.hear(0.9) }
        let (end, gap) = (policy.gate.position, windows * VoiceActivity.windowLength)
        actions += policy.skip(to: end + gap)
        #expect(policy.gate.position == end + gap && policy.lag < 4)
        #expect(actions.contains(.speech(isSpeaking: false, at: end)))
        for _ in 0..<100 { actions += policy.hear(0.9) }
        #expect(policy.lag < 8)
        for _ in 0..<400 {
            actions += policy.hear(0.9)
            guard policy.decoding != nil else { continue }
            actions += policy.update(with: UtteranceHypothesis(words: [], language: .english))
        }
        let spans = actions.decodings.map(\.span)
        #expect(spans.allSatisfy { $0.upperBound <= end || $0.lowerBound >= end + gap })
        #expect(spans.contains { $0.upperBound == end } && spans.contains { $0.lowerBound == end + gap })
    }

    /// Partial text takes less silence and a greedy search; the decodings that decide are thorough.
    @Test func theDecodingsThatDecideAreThorough() throws {
        let talk = ScriptedTalk.monologue(6, seed: 1, after: 1, before: 2)
        let end = talk.count - 2 * 16_000
        var driver = PolicyDriver(talk, LiveOptions(language: "en"))
        try driver.finish()
        #expect(Set(driver.decodings.map(\.decoding.isLast)) == [false, true])
        #expect(driver.decodings.contains { !$0.decoding.isThorough })
        for (position, decoding) in driver.decodings {
            #expect(decoding.isThorough || !(decoding.isLast || position > end + 0.1.samples))
        }
    }

    /// Requests in random order: no word comes twice, and missing words were cleared or skipped.
    @Test(arguments: seeds(150), ScriptedHearing.allCases)
    func requestsInAnyOrder(seed: UInt64, hearing: ScriptedHearing) throws {
        var random = SplitMix64(seed: seed &+ 5000)
        let talk = ScriptedTalk.random(seed, utterances: 8)
        var costs = SplitMix64(seed: seed)
        let slowest = Double.random(in: 0...1.2, using: &random)
        var driver = PolicyDriver(talk, hearing: hearing) { Double.random(in: 0...slowest, using: &costs) }
        var (lost, asked) = ([Range<Int>](), 0)
        var settings = LiveOptions(language: "en").settings
        while driver.position < talk.count - 16_000 {
            try driver.play(to: driver.position + Int.random(in: 0...40_000, using: &random))
            let position = driver.position
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                asked += 1
                let sample = max(0, position - Int.random(in: -4000...20_000, using: &random))
                try driver.perform { $0.finalize(through: sample) }
            case 1:
                lost.append((driver.finals.last?.word.end ?? 0)..<position)
                try driver.perform { $0.clear() }
            case 2:
                settings.vocabulary = Bool.random(using: &random) ? ["Steno"] : []
                try driver.perform { $0.change(settings) }
            case 3:
                let sample = max(0, position - Int.random(in: 0...20_000, using: &random))
                try driver.perform { $0.forget(before: sample) }
            default:
                let end = position + Int.random(in: 0...60, using: &random) * VoiceActivity.windowLength
                guard end < talk.count else { break }
                lost.append(position..<end)
                try driver.perform { $0.skip(to: end) }
            }
        }
        try driver.finish()
        #expect(driver.policy.decoding == nil && driver.policy.lag == 0, "nothing is left")
        #expect(driver.finalized.count == asked)
        let final = driver.finals.map(\.word.text)
        #expect(Set(final).count == final.count, "no word comes twice")
        #expect(final.map { Int($0.dropFirst(2)) ?? -1 } == final.map { Int($0.dropFirst(2)) ?? -1 }.sorted())
        lost += driver.skipped.map(\.span)
        let missing = talk.words.filter { !final.contains($0.text) }
        for word in missing {
            let span = word.start.samples - 512..<word.end.samples + 512
            #expect(lost.contains { $0.overlaps(span) }, "\(word) is missing")
        }
        var end = 0
        for (word, _, _) in driver.finals {
            #expect(end <= word.start && word.start <= word.end)
            end = word.end
        }
    }

    /// When an utterance ends, it is decoded once more, and the report comes after its words.
    @Test func finalizeWaitsForTheTextOfAnEndedUtterance() throws {
        var driver = PolicyDriver(talk) { 1 }
        try driver.play(to: talk.count - 16_000)
        let sample = driver.position
        #expect(!driver.policy.gate.isOpen)
        try driver.perform { $0.finalize(through: sample) }
        #expect(driver.finalized.isEmpty)
        try driver.finish()
        #expect(driver.finalized.map(\.sample) == [sample] && driver.finalized.map(\.words) == [talk.words.count])
    }
}
