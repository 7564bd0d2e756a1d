import Foundation
import StenoCore
import StenoVoiceActivity
import StenoWhisper
import Testing

/// Options as JSON, and in expressions.
@Suite struct WhisperOptionsCodableTests {
    @Test func optionsAreReadBack() throws {
        let own = WhisperOptions(
            beamSize: 2, temperatures: [0, 0.5], compressionRatioThreshold: nil, prefix: "Zwettl",
            voiceActivity: VoiceActivityOptions(threshold: 0.4), guards: GuardOptions(silence: false), maxNewTokens: 7)
        #expect(try JSONDecoder().decode(WhisperOptions.self, from: JSONEncoder().encode(own)) == own)
        let options = TranscriptionOptions(
            language: "de", vocabulary: ["Zwettl"], clips: [1..<2, 60..<Double.infinity], batchSize: 3)
        #expect(try JSONDecoder().decode(TranscriptionOptions.self, from: JSONEncoder().encode(options)) == options)
    }

    @Test func nullTurnsAThresholdOff() throws {
        let off = try JSONDecoder().decode(WhisperOptions.self, from: Data(#"{"noSpeechThreshold": null}"#.utf8))
        #expect(off.noSpeechThreshold == nil)
    }

    /// A range with such bounds would crash.
    @Test func reversedClipsAreErrors() {
        let clips = Data(#"{"clips": [{"start": 2, "end": 1}]}"#.utf8)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(TranscriptionOptions.self, from: clips) }
    }

    /// Stored when Whisper's options still included the language.
    @Test func oldCombinedOptionsAreReadAsBoth() throws {
        let stored = Data(#"{"language": "de", "beamSize": 1, "batchSize": 4, "wordTimestamps": true}"#.utf8)
        var options = try JSONDecoder().decode(TranscriptionOptions.self, from: stored)
        options.whisper = try JSONDecoder().decode(WhisperOptions.self, from: stored)
        #expect(options.language == "de" && options.batchSize == 4 && options.wordTimestamps)
        #expect(options.whisper == WhisperOptions(beamSize: 1))
    }
}
