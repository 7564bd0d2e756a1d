import StenoCore
import StenoTestSupport
import Testing

@testable import StenoMoonshine

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

    @Test func textThatWasCutOffIsImplausible() throws {
        let recognizer = ScriptedRecognizer { samples, _ in .spread("The the", over: samples, isComplete: false) }
        #expect(try decoder(recognizer).decode(audio, UtteranceRequest()).isImplausible)
    }

    @Test func halfOfTheRoomForTextIsLong() throws {
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
