import Testing

@testable import Steno
@testable import StenoWhisperKit

/// WhisperKit's model names and their models.
struct WhisperKitModelNameTests {
    @Test(arguments: [
        ("tiny", "tiny"), ("openai_whisper-base.en", "base.en"), ("small_216MB", "small"),
        ("large-v3-v20240930_626MB", "turbo"), ("openai_whisper-large-v3-v20240930", "turbo"),
        ("large-v3_turbo", "large-v3"), ("large-v3_947MB", "large-v3"), ("large-v2_turbo_955MB", "large-v2"),
        ("distil-whisper_distil-large-v3_594MB", "distil-large-v3"), ("distil*large-v3", "distil-large-v3"),
        ("med*.en", "medium.en"), ("openai/whisper-large-v1", "large-v1"), ("my-own", "my-own"),
    ])
    func aNameStandsForAModel(name: String, expected: String) throws {
        #expect(try WhisperKitModelName(name).stenoName() == expected)
    }

    @Test(arguments: ["*", "large*", "huge*"])
    func aPatternMustFitOneModel(name: String) {
        #expect(throws: WhisperError.self) { try WhisperKitModelName(name).stenoName() }
    }
}
