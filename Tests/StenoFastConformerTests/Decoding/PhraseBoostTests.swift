import StenoTestSupport
import Testing

@testable import StenoFastConformer

struct PhraseBoostTests {
    private static let tokenizer = FastConformerTokenizer(
        pieces: ["\u{2581}", "\u{2581}k", "u", "ub", "b", "er", "\u{2581}kub", "e", "r", "<0x6B>", "s"].map {
            FastConformerTokenizer.Piece($0, isSpecial: false)
        })

    @Test func followsEverySpelling() throws {
        let boost = try #require(PhraseBoost(["kuber"], tokenizer: Self.tokenizer))
        #expect(boost.bonuses(after: []) == [0: 1, 1: 1, 6: 1])
        var progress = boost.progress([], after: 1)
        #expect(boost.bonuses(after: progress) == [0: 1, 1: 1, 6: 1, 2: 3, 3: 3])
        progress = boost.progress(progress, after: 3)
        #expect(boost.bonuses(after: progress) == [0: 1, 1: 1, 6: 1, 5: 5, 7: 5])
        // The phrase ends.
        #expect(boost.progress(progress, after: 5).isEmpty)
        // Another token ends it too.
        #expect(boost.progress(progress, after: 10).isEmpty)
    }

    @Test func wordsOfAPhraseAreSeparate() throws {
        let boost = try #require(PhraseBoost(["  ub\nk "], tokenizer: Self.tokenizer))
        let progress = boost.progress(boost.progress([], after: 0), after: 3)
        #expect(boost.bonuses(after: progress) == [0: 5, 1: 5])
    }

    @Test func phrasesWithoutTextAreNone() {
        #expect(PhraseBoost([], tokenizer: Self.tokenizer) == nil)
        #expect(PhraseBoost(["", " \n"], tokenizer: Self.tokenizer) == nil)
    }

    /// The pull changes tokens, not their number or frames, unless they change what follows.
    @Test func decidesBetweenTokens() throws {
        let tested = try GoldenModel("tdt-biased")
        let state = try tested.model.makeState()
        let plain = try state.decode(features: tested.mel(320))
        state.setPhrases((0..<32).map(String.init))
        #expect(try state.decode(features: tested.mel(320)).first?.frame == plain.first?.frame)
        state.setPhrases([])
        #expect(try state.decode(features: tested.mel(320)) == plain)
    }
}
