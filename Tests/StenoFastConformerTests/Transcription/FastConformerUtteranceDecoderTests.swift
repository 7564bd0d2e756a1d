import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Live text of a model for whole utterances.
struct FastConformerUtteranceDecoderTests {
    @Test func anUtteranceIsDecodedAsAWhole() throws {
        let speech = try SpeechModels.parakeet.get(), audio = try TestAudio.speech()
        let decoder = try FastConformerUtteranceDecoder(speech)
        for seconds in [1, 3, 11] {
            let part = Array(audio.prefix(seconds * 16_000))
            var words = WordBuilder(speech.model.tokenizer)
            let state = try speech.model.makeState()
            words.append(try part.withUnsafeBufferPointer { try state.transcribe($0) })
            words.endWord()
            let hypothesis = try decoder.decode(part, UtteranceRequest())
            #expect(hypothesis.words == words.takeWords().map { $0.ending(by: Double(seconds)) })
            #expect(hypothesis.finalCount == 0)
            #expect(hypothesis.language.language == "en")
        }
    }

    /// The policy asks again for the same audio when an utterance ends.
    @Test func theSameAudioIsDecodedOnce() throws {
        let decoder = try FastConformerUtteranceDecoder(SpeechModels.parakeet.get()), audio = try TestAudio.speech()
        let first = try decoder.decode(audio, UtteranceRequest())
        decoder.isCancelled = { true }
        #expect(try decoder.decode(audio, UtteranceRequest(effort: .last)) == first)
        expectError(.cancelled) { try decoder.decode(Array(audio.dropLast()), UtteranceRequest()) }
    }

    @Test func whatLiesBeyondHalfAMinuteIsIgnored() throws {
        let decoder = try FastConformerUtteranceDecoder(SpeechModels.parakeet.get())
        let noise = TestAudio.loop(seed: 5, count: 32 * 16_000, gain: 0.3)
        let all = try decoder.decode(noise, UtteranceRequest())
        let half = try FastConformerUtteranceDecoder(SpeechModels.parakeet.get())
        #expect(try half.decode(Array(noise.prefix(30 * 16_000)), UtteranceRequest()) == all)
    }

    @Test func noAudioHasNoWords() throws {
        let decoder = try FastConformerUtteranceDecoder(SpeechModels.parakeet.get())
        #expect(try decoder.decode([], UtteranceRequest()).words.isEmpty)
    }

    @Test func anUnknownLanguageIsRefused() throws {
        let decoder = try FastConformerUtteranceDecoder(SpeechModels.parakeet.get())
        expectError(.unknownLanguage) {
            try decoder.decode([], UtteranceRequest(SpeechSettings(language: "fr")))
        }
    }
}
