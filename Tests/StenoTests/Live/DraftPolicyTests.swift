import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Two models, one text: what a draft model adds to a session, and what it never changes.
struct DraftPolicyTests {
    /// Whatever the draft says, and however long it takes, everything but partial text is as without it.
    @Test(arguments: 0..<8, ScriptedHearing.allCases)
    func onlyPartialTextDependsOnTheDraft(seed: UInt64, hearing: ScriptedHearing) throws {
        var random = SplitMix64(seed: seed &+ 500)
        let talk = ScriptedTalk.random(seed)
        let cost = Double.random(in: 0...1, using: &random)
        let alone = try LiveRun(talk, cost: cost)
        let draft = ScriptedDraft(
            decoder: BabblingModel(seed: seed, hearing: hearing), hearing: hearing,
            cost: Double.random(in: 0...0.5, using: &random))
        let both = try LiveRun(talk, draft: draft, cost: cost) { Int.random(in: 160...40_000, using: &random) }
        #expect(both.events.withoutPartialText == alone.events.withoutPartialText)
        #expect(both.transcript.finals == alone.transcript.finals)
        #expect(both.transcript.partials.isEmpty)
        expectOrder(of: both.events)
    }

    /// A slow model shows words late, and with a draft each of them is shown soon after it was spoken.
    @Test(arguments: ScriptedHearing.allCases)
    func wordsAreShownSooner(hearing: ScriptedHearing) throws {
        let talk = ScriptedTalk.monologue(60, seed: 8, after: 1, before: 1)
        let alone = try LiveRun(talk, cost: 0.5)
        let draft = ScriptedDraft(decoder: hearing.decoder(talk), hearing: hearing)
        let both = try LiveRun(talk, draft: draft, cost: 0.5)
        let (late, soon) = (alone.delays(of: talk), both.delays(of: talk))
        #expect(soon.count == talk.words.count)
        #expect(soon.mean < 0.35 && soon.mean < late.mean - 0.3, "\(soon.mean) s instead of \(late.mean) s")
        #expect(both.finalWords == alone.finalWords)
    }

    /// Text that both models hear alike is never taken back.
    @Test(arguments: 0..<6)
    func agreedTextDoesNotFlicker(seed: UInt64) throws {
        let talk = ScriptedTalk.random(seed)
        let draft = ScriptedDraft(decoder: ScriptedModel(talk, invents: false))
        let run = try LiveRun(talk, model: ScriptedModel(talk, invents: false), draft: draft, cost: 0.4)
        #expect(run.erasures == 0)
    }

    /// A draft in another language than the one spoken, or before that is known, shows nothing.
    @Test func theDraftWaitsForItsLanguage() throws {
        let talk = ScriptedTalk.monologue(40, seed: 9)
        let draft = ScriptedDraft(decoder: BabblingModel(seed: 1, hearing: .repeated), languages: ["de"])
        #expect(try LiveRun(talk, draft: draft).events == LiveRun(talk).events)
        let german = LiveOptions(language: "de", task: .translate)
        #expect(try LiveRun(talk, german, draft: draft).events == LiveRun(talk, german).events)
        func partials(_ draft: ScriptedDraft?) throws -> [TranscriptionEvent] {
            let run = try LiveRun(talk, LiveOptions(), draft: draft, cost: 0.5)
            #expect(run.events.contains { $0.kind == .language })
            return run.events.prefix { $0.kind != .language }.filter { $0.kind == .partial }
        }
        let before = try partials(ScriptedDraft(decoder: ScriptedModel(talk)))
        let alone = try partials(nil)
        #expect(before == alone)
    }

    /// A machine that is too slow for two models drops the draft, and says so.
    @Test func aBusyMachineDropsTheDraft() throws {
        let talk = ScriptedTalk.monologue(60, seed: 10)
        let slow = try LiveRun(talk, draft: ScriptedDraft(decoder: ScriptedModel(talk), cost: 0.9), cost: 0.1)
        #expect(slow.events.filter { $0.kind == .draft }.map(\.jsonLine).allSatisfy { $0.contains("false") })
        #expect(slow.events.count { $0.kind == .draft } == 1)
        let quick = try LiveRun(talk, draft: ScriptedDraft(decoder: ScriptedModel(talk)), cost: 0.1)
        #expect(!quick.events.contains { $0.kind == .draft })
    }

    /// A draft that fails ends; the session continues.
    @Test func aBrokenDraftEndsOnlyItself() throws {
        final class Broken: SpanDecoder {
            var isCancelled: () -> Bool = { false }
            func decode(_ samples: [Float], _ decoding: LiveDecoding) throws -> UtteranceHypothesis {
                throw StenoError(.modelDamaged, "Broken.")
            }
        }
        let talk = ScriptedTalk.random(11)
        let run = try LiveRun(talk, draft: ScriptedDraft(decoder: Broken()))
        #expect(run.finalWords.map(\.rawText).joined() == talk.text)
        #expect(run.events.count { $0.kind == .draft } == 1)
    }

    /// Long speech is decoded from a final word on, so a draft's decodings stay short.
    @Test func theDraftHearsOnlyRecentAudio() throws {
        let talk = ScriptedTalk.monologue(200, seed: 12)
        let model = ScriptedModel(talk)
        _ = try LiveRun(talk, draft: ScriptedDraft(decoder: model), cost: 0.1)
        #expect(model.decodings.count > 100)
        #expect(model.decodings.allSatisfy { $0.span.count <= 10.1.samples })
    }
}

extension [TranscriptionEvent] {
    /// The events without partial text, and without what only concerns the draft.
    fileprivate var withoutPartialText: [TranscriptionEvent] {
        compactMap { event -> TranscriptionEvent? in
            switch event.kind {
            case .partial, .draft: nil
            case .final: .final(text: event.text, segments: event.segments, position: event.position)
            default: event
            }
        }
    }
}

extension LiveRun {
    /// The seconds from the end of each word to the first event that shows it.
    fileprivate func delays(of talk: ScriptedTalk) -> [Double] {
        var shown = LiveTranscript()
        var delays: [String: Double] = [:]
        for event in events where shown.apply(event) {
            let visible = Set(shown.text.split(separator: " ").map { " \($0)" })
            for word in talk.words where visible.contains(word.text) && delays[word.text] == nil {
                delays[word.text] = event.position - word.end
            }
        }
        return Array(delays.values)
    }

    /// The words that vanish from one event to the next.
    fileprivate var erasures: Int {
        var shown = LiveTranscript()
        var before: [Substring] = []
        var count = 0
        for event in events where shown.apply(event) {
            let now = shown.text.split(separator: " ")
            count += before.count - zip(before, now).prefix { $0 == $1 }.count
            before = now
        }
        return count
    }
}

extension [Double] {
    fileprivate var mean: Double { isEmpty ? .infinity : reduce(0, +) / Double(count) }
}
