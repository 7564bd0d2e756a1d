import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore

/// A model gets stuck in a phrase while somebody speaks: little of the loop is shown or final, and all is reported.
struct LiveLoopTests {
    /// The outcome of one run: how many words of the loop were final, were on the screen at most, and were reported as
    /// hallucinated.
    private func run(_ seed: UInt64, _ options: LiveOptions) throws -> (
        understood: Int, final: Int, shown: Int, told: Int, of: Int, limit: Int
    ) {
        var random = SplitMix64(seed: seed)
        let (onset, period) = (Int.random(in: 0...8, using: &random), Int.random(in: 1...6, using: &random))
        var talk = ScriptedTalk()
        talk.append(0, seconds: 1)
        // One utterance, not so long that it must be cut.
        talk.speak(40, using: &random)
        talk.append(0, seconds: Double.random(in: 0...2, using: &random))
        // It understands the first words of the talk, and takes all others for a repeated phrase.
        let model = AlteredModel(talk) { hypothesis, _ in
            for index in hypothesis.words.indices {
                let number = hypothesis.words[index].handle[0]
                if number >= onset { hypothesis.words[index].text = " x\((number - onset) % period)" }
            }
        }
        let run = try LiveRun(talk, options, decoder: model, cost: Double.random(in: 0...0.3, using: &random))
        expectOrder(of: run.events)
        var (screen, shown, told) = (LiveTranscript(), 0, 0)
        for event in run.events {
            screen.apply(event)
            shown = max(shown, screen.text.count { $0 == "x" })
            told += event.hallucination?.text.count { $0 == "x" } ?? 0
        }
        let words = run.finalWords.map(\.rawText)
        let repeats = max(3, (8 + period - 1) / period + 1)
        return (
            words.count { $0.hasPrefix(" w") } - onset, words.count { $0.hasPrefix(" x") }, shown, told, 40 - onset,
            repeats * period
        )
    }

    @Test(arguments: seeds(60)) func aLoopIsHeldBeforeItIsFinal(seed: UInt64) throws {
        let found = try run(seed, LiveOptions(language: "en"))
        #expect(found.understood == 0, "understood words are final")
        // Fewer repetitions may be speech.
        #expect(found.final < found.limit && found.shown < found.limit + 2)
        #expect(found.final + found.told == found.of, "nothing vanishes without a report")
    }

    @Test(arguments: seeds(10)) func withoutGuardsItIsAllFinal(seed: UInt64) throws {
        let found = try run(seed, LiveOptions(language: "en").with { $0.guards = nil })
        #expect(found.understood == 0 && found.final == found.of && found.told == 0)
    }
}
