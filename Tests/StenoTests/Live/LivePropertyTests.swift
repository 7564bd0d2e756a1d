import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// Properties of every talk and every family of models, whatever the chunks, the cuts and the cost of a decoding.
struct LivePropertyTests {
    @Test(arguments: seeds(60), ScriptedHearing.allCases)
    func finalsNeverChangeAndTimesNeverGoBack(seed: UInt64, hearing: ScriptedHearing) throws {
        var random = SplitMix64(seed: seed &+ 1000)
        let talk = ScriptedTalk.random(seed)
        let cost = Double.random(in: 0...1.2, using: &random)
        let run = try LiveRun(talk, hearing: hearing, cost: cost) { Int.random(in: 160...80_000, using: &random) }
        expectOrder(of: run.events)
        #expect(run.finalWords.map(\.rawText).joined() == talk.text)
    }

    /// With a fixed cost per decoding the events do not depend on how the audio was chunked.
    @Test(arguments: seeds(20), ScriptedHearing.allCases)
    func chunksDoNotMatter(seed: UInt64, hearing: ScriptedHearing) throws {
        let talk = ScriptedTalk.random(seed)
        var random = SplitMix64(seed: seed)
        let whole = try LiveRun(talk, hearing: hearing, cost: 0.3) { talk.count }
        for longest in [160, 1000, 16_000, 80_000] {
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
        for _ in 0..<200 {
            let cut = Int.random(in: 0...talk.count, using: &random)
            let run = try LiveRun(talk, hearing: hearing, cutAt: cut, cost: Double.random(in: 0...1, using: &random)) {
                Int.random(in: 160...16_000, using: &random)
            }
            let end = Double(cut) / 16_000
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
        for seed in 0..<10 {
            let talk = ScriptedTalk.random(UInt64(seed), utterances: 8)
            #expect(try LiveRun(talk, hearing: hearing, cost: cost).finalWords.map(\.rawText).joined() == talk.text)
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
