import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

struct TokenizerLanguagesTests {
    /// Without a name, a language could only be given by its code.
    @Test func findsLanguageTokens() throws {
        #expect(SpecialTokens.languageCodes.count == 100 && Set(SpecialTokens.languageCodes).count == 100)
        #expect(SpecialTokens.languageCodes.allSatisfy { Languages.name(of: $0) != nil })
        let tokenizer = try TokenizerGoldens.multilingual()
        #expect(try tokenizer.languageToken(for: "en") == 50259)
        #expect(try tokenizer.languageToken(for: "Castilian") == tokenizer.languageToken(for: "es"))
    }

    @Test(arguments: [("Germn", "Did you mean German (de)?"), ("qqqqqqqq", "\"German\""), ("Cantonese", "large-v3")])
    func explainsAnUnknownLanguage(language: String, hint: String) throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        expectError(.unknownLanguage, says: hint) { try tokenizer.languageToken(for: language) }
    }

    @Test func startsATranscript() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        #expect(
            try tokenizer.sotSequence(language: "de", task: .transcribe, withoutTimestamps: false)
                == [50258, 50261, 50359])
        #expect(
            try tokenizer.sotSequence(language: "German", task: .translate, withoutTimestamps: true)
                == [50258, 50261, 50358, 50363])
    }

    @Test func englishOnlyModelsKnowOnlyEnglish() throws {
        let tokenizer = try TokenizerGoldens.englishOnly()
        #expect(try tokenizer.sotSequence(language: "en", task: .translate, withoutTimestamps: false) == [50257])
        #expect(
            try tokenizer.sotSequence(language: "English", task: .transcribe, withoutTimestamps: true)
                == [50257, 50362])
        expectError(.unknownLanguage, says: "English-only") {
            try tokenizer.sotSequence(language: "de", task: .transcribe, withoutTimestamps: false)
        }
    }
}

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

/// Models with languages that OpenAI's lack or have under another code.
struct FineTunedLanguagesTests {
    private static let vocabulary = SmallModel.vocabulary.map {
        ["<|de|>": "<|fil|>", "<|fr|>": "<|zh-TW|>", "<|es|>": "<|nb|>"][$0] ?? $0
    }
    private let tokenizer: Tokenizer

    init() throws { tokenizer = try Tokenizer(vocabulary: Vocabulary(byteLevelTokens: Self.vocabulary)) }

    @Test(arguments: [
        ("en", "en"), ("English", "en"), ("fil", "fil"), ("fil-PH", "fil"), ("tl", "fil"), ("Tagalog", "fil"),
        ("zh-TW", "zh-TW"), ("zh_tw", "zh-TW"), ("nb", "nb"), ("NB-no", "nb"), ("no", "nb"), ("Norwegian", "nb"),
    ])
    func theModelsOwnCodesComeFirst(language: String, code: String) throws {
        #expect(try tokenizer.languageCode(for: language) == code)
        let token = try #require(tokenizer.specialTokens.languageToken(code: code))
        #expect(try tokenizer.languageToken(for: language) == token)
        let sequence = try tokenizer.sotSequence(language: language, task: .transcribe, withoutTimestamps: false)
        #expect(sequence.contains(token))
    }

    @Test(arguments: ["zh", "Chinese", "German", "xx"]) func otherLanguagesAreRefused(language: String) {
        expectError(.unknownLanguage) { try tokenizer.languageCode(for: language) }
    }

    /// Detection finds a language that the model can decode, and results have the model's code.
    @Test func resultsUseTheModelsCode() throws {
        let model = try SmallModel.with {
            try SmallModel.writeTexts(to: $0, vocabulary: Self.vocabulary)
            return try WhisperModel.load(folder: $0, precision: .float32, threads: 1)
        }
        #expect(model.languages == ["en", "fil", "zh-TW", "nb"])
        let audio = TestAudio.noise(seed: 5, count: 16_000, gain: 0.2)
        let decoder = try UtteranceDecoder(model)
        for (language, code) in [("Tagalog", "fil"), ("nb-NO", "nb"), ("zh-tw", "zh-TW"), ("English", "en")] {
            let transcript = try model.transcribe(
                ArraySampleSource(audio), options: TranscriptionTests.options { $0.language = language })
            #expect(transcript.language == code)
            let hypothesis = try decoder.decode(audio, UtteranceSearch(language: language))
            #expect(hypothesis.language == LanguageDetection(language: code, probability: 1))
        }
    }
}
