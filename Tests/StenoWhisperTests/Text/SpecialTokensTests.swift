import StenoTestSupport
import StenoWhisper
import Testing

@testable import StenoCompute
@testable import StenoCore

struct SpecialTokensTests {
    @Test func findsThoseOfTheMultilingualVocabulary() throws {
        let tokens = try SpecialTokens(vocabulary: .load(folder: Fixtures.nano))
        #expect(tokens.endOfText == 50257 && tokens.startOfTranscript == 50258)
        #expect(tokens.translate == 50358 && tokens.transcribe == 50359)
        #expect(tokens.startOfLM == 50360 && tokens.startOfPrevious == 50361)
        #expect(tokens.noSpeech == 50362 && tokens.noTimestamps == 50363 && tokens.timestampBegin == 50364)
        #expect(tokens.isMultilingual && tokens.languages.count == 99)
        #expect(tokens.languages.map(\.code) == Array(SpecialTokens.languageCodes.dropLast()))
        #expect(tokens.languageToken(code: "ja") == 50266 && tokens.languageToken(code: "yue") == nil)
    }

    /// Both ways to determine the ids must agree where both are available; the bundled model says `<|nocaptions|>`.
    @Test func sizeAndVocabularyAgree() throws {
        let nano = try SpecialTokens(vocabulary: .load(folder: Fixtures.nano))
        let bundled = try SpecialTokens(vocabulary: .load(folder: EngineModels.bundledBase))
        let english = try TokenizerGoldens.englishOnly().specialTokens
        #expect(try SpecialTokens(vocabularySize: 51865) == nano)
        #expect(bundled == nano)
        #expect(try SpecialTokens(vocabularySize: 51864) == english)
        #expect(!english.isMultilingual && english.endOfText == 50256 && english.timestampBegin == 50363)
    }

    @Test func findsThoseOfLargeV3BySize() throws {
        let tokens = try SpecialTokens(vocabularySize: 51866)
        #expect(tokens.languageToken(code: "yue") == 50358)
        #expect(tokens.translate == 50359 && tokens.noSpeech == 50363 && tokens.timestampBegin == 50365)
    }

    @Test func missingTimesFollowTheOthers() throws {
        let names = [
            "endoftext", "startoftranscript", "en", "xx", "translate", "transcribe", "startoflm", "startofprev",
        ]
        let tokens = (names + ["nocaptions", "notimestamps"]).map { Array("<|\($0)|>".utf8) }
        let special = try SpecialTokens(vocabulary: Vocabulary(tokens: [[]] + tokens))
        #expect(special.noSpeech == 9 && special.timestampBegin == 11 && special.isMultilingual)
        #expect(special.languages.map(\.code) == ["en", "xx"])
    }

    @Test func refusesOtherModels() throws {
        for size in [Int.min + 60000, 0, 50257, 51765, 51867, 128_256] {
            expectError(.modelUnsupported) { try SpecialTokens(vocabularySize: size) }
        }
        expectError(.modelUnsupported, says: "startoftranscript") {
            try SpecialTokens(vocabulary: Vocabulary(byteLevelTokens: ["a", "<|endoftext|>"]))
        }
    }
}
