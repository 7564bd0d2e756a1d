import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

struct LiveStreamTests {
    /// All words of audio that arrives in pieces of that many samples; the second value has them as they were final.
    private static func hear(
        _ stream: FastConformerStream, _ samples: [Float], pieces: Int
    ) throws -> (all: [UtteranceWord], hypotheses: [UtteranceHypothesis]) {
        var all: [UtteranceWord] = [], hypotheses: [UtteranceHypothesis] = []
        for start in stride(from: 0, to: samples.count, by: pieces) {
            let end = min(start + pieces, samples.count)
            let hypothesis = try stream.hear(Array(samples[start..<end]), isLast: end == samples.count)
            all += hypothesis.words.prefix(hypothesis.finalCount)
            hypotheses.append(hypothesis)
        }
        return (all, hypotheses)
    }

    @Test(arguments: [0, 1, 6])
    func theWordsDoNotDependOnThePieces(lookAhead: Int) throws {
        let audio = SpeechModels.noise, speech = try SpeechModels.nemotron.get()
        let expected = try speech.model.words(audio, lookAhead: lookAhead, language: "de")
        #expect(expected.count > 3)
        let stream = try FastConformerStream(speech, lookAhead: lookAhead)
        for pieces in [1777, 8000, audio.count] {
            try stream.begin(UtteranceRequest(SpeechSettings(language: "de")))
            let heard = try Self.hear(stream, audio, pieces: pieces)
            #expect(heard.all.map(\.handle) == expected.map(\.handle))
            #expect(heard.all.map(\.start) == expected.map(\.start))
            let last = try #require(heard.hypotheses.last)
            #expect(last.finalCount == last.words.count)
            #expect(last.language.language == "de")
            // At most one word waits for its end.
            #expect(heard.hypotheses.allSatisfy { $0.words.count - $0.finalCount <= 1 })
        }
    }

    @Test func theLookAheadForLiveTextIsHalfASecond() {
        #expect(FastConformerStream.preferred([13, 6, 1, 0]) == 6)
        #expect(FastConformerStream.preferred([3, 0, 6, 13]) == 6)
        #expect(FastConformerStream.preferred([3, 0]) == 3)
        #expect(FastConformerStream.preferred([13]) == 13)
    }

    @Test func anUnknownLanguageIsRefused() throws {
        let stream = try FastConformerStream(SpeechModels.nemotron.get(), lookAhead: 6)
        expectError(.unknownLanguage) { try stream.begin(UtteranceRequest(SpeechSettings(language: "fr"))) }
    }

    @Test func hearingCanBeCancelled() throws {
        let stream = try FastConformerStream(SpeechModels.nemotron.get(), lookAhead: 6)
        try stream.begin(UtteranceRequest())
        stream.isCancelled = { true }
        expectError(.cancelled) { try stream.hear(TestAudio.speech(), isLast: true) }
    }
}

struct FastConformerUtteranceDecoderTests {
    @Test func anUtteranceIsDecodedAsAWhole() throws {
        let speech = try SpeechModels.parakeet.get(), audio = try TestAudio.speech()
        let decoder = try FastConformerUtteranceDecoder(speech)
        for seconds in [1, 3, 11] {
            let part = Array(audio.prefix(seconds * 16_000))
            let words = try speech.model.words(part)
            let hypothesis = try decoder.decode(part, UtteranceRequest())
            #expect(hypothesis.words == words.map { $0.ending(by: Double(seconds)) })
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

    @Test func noAudioHasNoWords() throws {
        let decoder = try FastConformerUtteranceDecoder(SpeechModels.parakeet.get())
        let noise = TestAudio.loop(seed: 5, count: 32 * 16_000, gain: 0.3)
        let all = try decoder.decode(noise, UtteranceRequest())
        let half = try FastConformerUtteranceDecoder(SpeechModels.parakeet.get())
        #expect(try half.decode(Array(noise.prefix(30 * 16_000)), UtteranceRequest()) == all)
        // No audio has no words.
        #expect(try decoder.decode([], UtteranceRequest()).words.isEmpty)
    }

    @Test func anUnknownLanguageIsRefused() throws {
        let decoder = try FastConformerUtteranceDecoder(SpeechModels.parakeet.get())
        expectError(.unknownLanguage) {
            try decoder.decode([], UtteranceRequest(SpeechSettings(language: "fr")))
        }
    }
}
