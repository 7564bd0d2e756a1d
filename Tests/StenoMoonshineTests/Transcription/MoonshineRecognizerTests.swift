import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoMoonshine

/// Utterances recognised by a model with random weights: its text means nothing, but must be consistent.
struct MoonshineRecognizerTests {
    private let audio = TestAudio.noise(seed: 1, count: 24_000, gain: 0.1)

    private func recognizer(tokensPerSecond: Double = 6.5) throws -> MoonshineRecognizer {
        try MoonshineRecognizer(.whole(LoadedMoonshine("whole-36").model), tokensPerSecond: tokensPerSecond)
    }

    @Test func wordsAreInOrderWithinTheAudio() throws {
        let text = try recognizer(tokensPerSecond: 20).recognize(audio, draft: [])
        try #require(!text.words.isEmpty)
        #expect(text.words.allSatisfy { $0.start <= $0.end && $0.end <= 1.5 && !$0.handle.isEmpty })
        #expect(zip(text.words, text.words.dropFirst()).allSatisfy { $0.start <= $1.start })
        #expect(text.words.allSatisfy { (0...1).contains($0.probability) && $0.certainty <= $0.probability + 1e-9 })
        #expect(text.meanLogProbability < 0)
    }

    @Test func aDraftNeverChangesTheText() throws {
        let recognizer = try recognizer(tokensPerSecond: 20)
        let plain = try recognizer.recognize(audio, draft: [])
        for draft in [plain.tokens, Array(plain.tokens.prefix(3)), [5, 6, 7], plain.tokens.prefix(2) + [4, 4, 4]] {
            // Other audio in between, so that the text is not simply remembered.
            _ = try recognizer.recognize(Array(audio.prefix(8_000)), draft: draft)
            let text = try recognizer.recognize(audio, draft: draft)
            #expect(text.tokens == plain.tokens && text.isComplete == plain.isComplete)
            #expect(text.words.map(\.start) == plain.words.map(\.start))
        }
    }

    @Test func theLimitFollowsTheLength() throws {
        for seconds in [0.5, 1, 1.5] {
            let text = try recognizer().recognize(Array(audio.prefix(Int(seconds * 16_000))), draft: [])
            #expect(text.tokens.count <= Int((seconds * 6.5).rounded(.up)))
        }
        // Too little audio has no text.
        let recognizer = try recognizer()
        for count in [0, 1, 894] {
            #expect(try recognizer.recognize(Array(audio.prefix(count)), draft: [1, 2]) == RecognizedText())
        }
        _ = try recognizer.recognize(Array(audio.prefix(895)), draft: [])
    }

    /// The same audio is not decoded twice.
    @Test func theLastTextIsRemembered() throws {
        let recognizer = try recognizer()
        let questions = Questions()
        recognizer.isCancelled = questions.ask
        let text = try recognizer.recognize(audio, draft: [])
        let asked = questions.count
        #expect(try asked > 0 && recognizer.recognize(audio, draft: [3]) == text)
        #expect(questions.count == asked)
    }

    @Test func cancellation() throws {
        let recognizer = try recognizer()
        recognizer.isCancelled = Questions(yesFrom: 3).ask
        expectError(.cancelled) { try recognizer.recognize(audio, draft: []) }
        recognizer.isCancelled = { false }
        _ = try recognizer.recognize(audio, draft: [])
    }
}

struct RecognizedTextTests {
    private func text(_ text: String, isComplete: Bool = true) -> RecognizedText {
        .spread(text, over: [Float](repeating: 0, count: 48_000), isComplete: isComplete)
    }

    /// What the real model writes for silence, hum and noise; as a word of its own, “You.” has a mark.
    @Test(arguments: [
        ("You", true), ("", true), ("♪♪", true), ("\u{FFFD}\u{FFFD}", true), ("You.", false), ("7", false),
    ])
    func textOfSilence(written: String, isSilence: Bool) { #expect(text(written).isSilence == isSilence) }

    @Test func aTextThatWasCutOffOrRepeatsItselfIsImplausible() {
        #expect(!text("We will see what we will see.").isImplausible)
        #expect(!text("No no no no.").isImplausible)
        #expect(text("We will see", isComplete: false).isImplausible)
        #expect(text("We" + String(repeating: " will", count: 12)).isImplausible)
        #expect(text(String(repeating: "We will see ", count: 6)).isImplausible)
    }
}

/// Live decoding with scripted texts.
struct MoonshineUtteranceDecoderTests {
    private let audio = sound((1, 0.1))

    private func decoder(_ recognizer: ScriptedRecognizer) -> MoonshineUtteranceDecoder {
        MoonshineUtteranceDecoder(recognizer) { language in
            guard language == nil || language == "en" else { throw StenoError(.unknownLanguage, "Only English.") }
            return LanguageDetection(language: "en", probability: 1)
        }
    }

    @Test func aTextBecomesAHypothesis() throws {
        let hypothesis = try decoder(ScriptedRecognizer("Good morning.")).decode(audio, UtteranceRequest())
        #expect(hypothesis.words.map(\.text) == [" Good", " morning."])
        #expect(hypothesis.words.map(\.handle) == [[0], [1]])
        #expect(hypothesis.words.map(\.start) == [0, 0.5])
        #expect(hypothesis.language == LanguageDetection(language: "en", probability: 1))
        #expect(!hypothesis.isSilence && !hypothesis.isImplausible && !hypothesis.isLong && !hypothesis.isSampled)
        #expect(hypothesis.finalCount == 0)
    }

    /// The words of the last hypothesis are a draft; a request without one is given the last text.
    @Test func theLastWordsAreADraft() throws {
        let recognizer = ScriptedRecognizer("Good", "Good morning", "Good morning all.")
        let decoder = decoder(recognizer)
        _ = try decoder.decode(audio, UtteranceRequest())
        _ = try decoder.decode(audio, UtteranceRequest(draft: [TextPiece(" Good", handle: [7, 8]), TextPiece(",")]))
        _ = try decoder.decode(audio, UtteranceRequest(effort: .last, context: [TextPiece("Before.", handle: [3])]))
        #expect(recognizer.drafts == [[], [7, 8], [0, 1]])
    }

    @Test func digitalSilenceIsNotDecoded() throws {
        let recognizer = ScriptedRecognizer("You")
        let hypothesis = try decoder(recognizer).decode(sound((1, 0)), UtteranceRequest())
        #expect(hypothesis.isSilence && hypothesis.words.isEmpty && recognizer.heard.isEmpty)
    }

    @Test func theTextOfSilenceIsNotShown() throws {
        let recognizer = ScriptedRecognizer("You", "You are")
        let decoder = decoder(recognizer)
        let hypothesis = try decoder.decode(audio, UtteranceRequest())
        #expect(hypothesis.isSilence && hypothesis.words.isEmpty)
        #expect(try decoder.decode(audio, UtteranceRequest()).words.count == 2)
        #expect(recognizer.drafts == [[], []])
    }

    @Test func longAndCutOffTexts() throws {
        let recognizer = ScriptedRecognizer { samples, _ in .spread("The the", over: samples, isComplete: false) }
        #expect(try decoder(recognizer).decode(audio, UtteranceRequest()).isImplausible)
        // Half of the room for text is long.
        for (count, isLong) in [(97, false), (98, true)] {
            let recognizer = ScriptedRecognizer((0..<count).map { "w\($0)" }.joined(separator: " "))
            #expect(try decoder(recognizer).decode(audio, UtteranceRequest()).isLong == isLong)
        }
    }

    @Test func samplesThatAreNoneBecomeSilence() throws {
        let recognizer = ScriptedRecognizer("One.")
        _ = try decoder(recognizer).decode([0.5, .nan, -.infinity, 9] + audio, UtteranceRequest())
        #expect(recognizer.heard.first?.prefix(4) == [0.5, 0, 0, 1])
    }

    @Test func cancellationAndLanguagesAreChecked() throws {
        let recognizer = ScriptedRecognizer("One.")
        let decoder = decoder(recognizer)
        expectError(.unknownLanguage) {
            try decoder.decode(audio, UtteranceRequest(SpeechSettings(language: "de")))
        }
        decoder.isCancelled = { true }
        expectError(.cancelled) { try decoder.decode(audio, UtteranceRequest()) }
    }
}
