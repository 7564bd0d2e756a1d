import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

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
