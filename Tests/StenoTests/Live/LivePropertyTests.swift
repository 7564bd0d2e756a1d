import StenoTestSupport
import Testing

@testable import Steno

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
        for _ in seeds(200) {
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
        for seed in seeds(10) {
            let talk = ScriptedTalk.random(seed, utterances: 8)
            #expect(try LiveRun(talk, hearing: hearing, cost: cost).finalWords.map(\.rawText).joined() == talk.text)
        }
    }
}
