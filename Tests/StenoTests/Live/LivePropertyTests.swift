import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoVoiceActivity

/// Properties of every talk and every family of models, whatever the chunks, the cuts and the cost of a decoding.
struct LivePropertyTests {
    @Test(arguments: seeds(60), ScriptedHearing.allCases)
    func finalsNeverChangeAndTimesNeverGoBack(seed: UInt64, hearing: ScriptedHearing) throws {
        var random = SplitMix64(seed: seed &+ 1000)
        let talk = ScriptedTalk.random(seed)
        let cost = Double.random(in: 0...1.2, using: &random)
        let run = try LiveRun(talk, hearing: hearing, cost: cost) { Int.random(in: 160...80_000, using: &random) }
        expectOrder(of: run.events)
        #expect(run.finalText == talk.text)
    }

    /// With a fixed cost per decoding the events do not depend on how the audio was chunked.
    @Test(arguments: seeds(20), ScriptedHearing.allCases)
    func chunksDoNotMatter(seed: UInt64, hearing: ScriptedHearing) throws {
        let talk = ScriptedTalk.random(seed, utterances: isLong ? 6 : 3)
        var random = SplitMix64(seed: seed)
        let whole = try LiveRun(talk, hearing: hearing, cost: 0.3) { talk.count }
        for longest in isLong ? [160, 1000, 16_000, 80_000] : [1000, 80_000] {
            let chunked = try LiveRun(talk, hearing: hearing, cost: 0.3) {
                Int.random(in: 1...longest, using: &random)
            }
            let isEqual = chunked.events == whole.events
            #expect(isEqual, "chunks of at most \(longest) samples")
        }
    }

    /// Wherever the audio ends, its last word is there: in a word, in a pause, in noise, in the middle of a window.
    @Test(arguments: ScriptedHearing.allCases)
    func theLastWordIsThereWhereverTheAudioEnds(hearing: ScriptedHearing) throws {
        var random = SplitMix64(seed: 7)
        let talk = ScriptedTalk.random(7, utterances: 5)
        for _ in seeds(200) {
            let cut = Int.random(in: 0...talk.count, using: &random)
            let run = try LiveRun(talk, hearing: hearing, cutAt: cut, cost: Double.random(in: 0...1, using: &random)) {
                Int.random(in: 160...16_000, using: &random)
            }
            let end = cut.seconds
            let expected = talk.words.filter { ($0.start + $0.end) / 2 < end }
            // Anything shorter than a word of the shortest speech may be taken for a click.
            let sure = talk.words.filter { $0.end <= end - LiveOptions().shortestSpeech }
            let said = run.finalWords.map(\.rawText)
            #expect(said.count >= sure.count && said == expected.prefix(said.count).map(\.text), "cut at \(end) s")
            #expect(run.transcript.partials.isEmpty)
        }
    }

    @Test(arguments: [0.0, 0.5, 2, 6], ScriptedHearing.allCases)
    func aSlowMachineLosesNothing(cost: Double, hearing: ScriptedHearing) throws {
        for seed in 0..<(isLong ? 10 : 2) as Range<UInt64> {
            let talk = ScriptedTalk.random(seed, utterances: isLong ? 8 : 4)
            #expect(try LiveRun(talk, hearing: hearing, cost: cost).finalText == talk.text)
        }
    }
}

/// Expects what holds for every session: final text only grows, no text is only punctuation except a mark that joins the
/// last word of its utterance, and neither positions nor times go back.
func expectOrder(
    of events: [TranscriptionEvent], _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) {
    func expect(_ holds: Bool) { #expect(holds, comment, sourceLocation: sourceLocation) }
    var position = 0.0, end = 0.0, nextID = 0
    var utterance: Int?
    for event in events {
        expect(event.position >= position)
        position = event.position
        switch event.kind {
        case .final:
            expect(!Word.key(event.text).isEmpty)
            utterance = event.utterance
            for segment in event.segments {
                expect(segment.isFinal && segment.id == nextID)
                nextID += 1
                expect(segment.words.map(\.rawText).joined() == segment.text)
                for word in segment.words {
                    expect(end <= word.start && word.start <= word.end)
                    end = word.end
                }
            }
        case .utteranceEnd where !event.text.isEmpty:
            expect(Word.key(event.text).isEmpty && event.utterance == utterance)
        case .partial:
            expect(event.text.isEmpty || !Word.key(event.text).isEmpty)
            for segment in event.segments { expect(!segment.isFinal && segment.id == nextID) }
        default: break
        }
    }
}

/// Live text of a model that hears every sample once and decides itself what is final.
///
/// That no word is lost, doubled or changed, whatever the chunks, the requests and the cost, is tested together with
/// repeated decodings (``LivePropertyTests``, ``LiveRequestTests``).
struct LiveStreamingTests {
    /// A word is shown, and final as soon as the model says so, without a pause, agreement or endpoint.
    @Test func wordsAreFinalWhenTheModelSaysSo() throws {
        let talk = ScriptedTalk.monologue(60, seed: 3)
        var driver = PolicyDriver(talk, hearing: .streaming, cost: { 0 })
        try driver.play(to: talk.count)
        let waits = driver.finals.map { ($0.position - $0.word.end).seconds }
        #expect(driver.finals.count > 50)
        // The look-ahead, a step, and the window in which a step ends.
        #expect(waits.allSatisfy { $0 >= ScriptedStream.lookAhead && $0 < ScriptedStream.lookAhead + 0.24 + 0.04 })
        let shown = driver.actions.contains {
            if case .show(let words, _) = $0.action { words.contains { $0.text.hasPrefix(" x") } } else { false }
        }
        #expect(shown, "a half word is partial text")
        #expect(!driver.text.contains("x"))
    }

    /// The model hears audio once, so minutes of speech without a pause take no memory.
    @Test func speechWithoutAPauseTakesNoMemory() throws {
        let talk = ScriptedTalk.monologue(200, seed: 4)
        let run = try LiveRun(talk, hearing: .streaming, cost: 0.05)
        #expect(talk.seconds > 60 && run.mostSamplesKept < 2.samples)
        #expect(run.finalText == talk.text)
        #expect(run.events.count { $0.kind == .utteranceEnd } == 1, "nothing is cut")
    }

    /// Finalising includes the words that the model still kept back.
    @Test func finalizingIncludesWordsKeptBack() throws {
        let talk = ScriptedTalk.monologue(12, seed: 5)
        var driver = PolicyDriver(talk, hearing: .streaming, cost: { 0 })
        let middle = try #require(talk.words.dropFirst(6).first).end.samples
        try driver.play(to: middle)
        let (before, position) = (driver.finals.count, driver.position)
        try driver.perform { $0.finalize(through: position) }
        while driver.finalized.isEmpty, driver.position + 512 <= talk.count {
            try driver.play(to: driver.position + 512)
        }
        #expect(before < 7 && driver.finalized.map(\.words) == [7])
        try driver.finishWithWholeText()
    }

    /// Options for decisions that a streaming model makes itself are refused, unless they are an adapter's own.
    @Test func optionsOfRepeatedDecodingsAreRefused() async throws {
        let model = SecondFamilyModel(hearing: .streaming)
        #expect(throws: Never.self) { try LiveOptions().refuseRepetition(for: "Scripted") }
        let changes: [(inout LiveOptions) -> Void] = [
            { $0.balance = .accurate }, { $0.step = 0.5 }, { $0.pause = 0.4 }, { $0.showAfter = 1 },
            { $0.trimAfter = 9 },
        ]
        for change in changes {
            expectError(.invalidOption) { try LiveOptions().with(change).refuseRepetition(for: "Scripted") }
        }
        expectError(.invalidOption) { try model.makeLiveDecoder(LiveDecoderOptions(beamSize: 2)) }
        let late = LiveOptions(balance: .accurate)
        let engine = try ModelEngine(model: model, repeated: late, pace: .fast)
        try await engine.start()
        try await engine.finish()
        let refused = try ModelEngine(model: model, options: late, pace: .fast)
        await expectAsyncError(.invalidOption) { try await refused.start() }
    }
}
