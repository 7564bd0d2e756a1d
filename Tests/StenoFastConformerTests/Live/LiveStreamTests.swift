import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Live text of a streaming model.
struct LiveStreamTests {
    @Test func theLookAheadForLiveTextIsHalfASecond() {
        #expect(FastConformerStream.preferred([13, 6, 1, 0]) == 6)
        #expect(FastConformerStream.preferred([3, 0, 6, 13]) == 6)
        #expect(FastConformerStream.preferred([3, 0]) == 3)
        #expect(FastConformerStream.preferred([13]) == 13)
    }

    @Test func anUnknownLanguageIsRefused() throws {
        let stream = try FastConformerStream(NeMoGoldens.speech("prompted"), lookAhead: 3)
        expectError(.unknownLanguage) { try stream.begin(UtteranceRequest(SpeechSettings(language: "fr"))) }
    }

    @Test func hearingCanBeCancelled() throws {
        let stream = try FastConformerStream(NeMoGoldens.speech("prompted"), lookAhead: 3)
        try stream.begin(UtteranceRequest())
        stream.isCancelled = { true }
        expectError(.cancelled) { try stream.hear(TestAudio.speech(), isLast: true) }
    }
}
