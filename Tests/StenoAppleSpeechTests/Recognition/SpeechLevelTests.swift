import Testing

@testable import StenoAppleSpeech

struct SpeechLevelTests {
    private let speech = (0..<32_000).map { $0 % 6_400 < 4_000 ? Float($0 % 80) / 80 - 0.5 : 0 }

    @Test func aGapOfASecondEndsSpeechAndAShortOneDoesNot() {
        var level = SpeechLevel()
        _ = level.append(speech)
        #expect(level.isSpeaking)
        var hasEnded = level.skip(1_600)
        #expect(!hasEnded && level.isSpeaking)
        hasEnded = level.skip(16_000)
        #expect(hasEnded && !level.isSpeaking)
        hasEnded = level.skip(16_000)
        #expect(!hasEnded)
    }
}
