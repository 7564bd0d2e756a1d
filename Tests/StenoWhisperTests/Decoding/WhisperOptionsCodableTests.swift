import Foundation
import StenoCore
import StenoVoiceActivity
import StenoWhisper
import Testing

/// Options as JSON, and in expressions.
@Suite struct WhisperOptionsCodableTests {
    @Test func optionsAreReadBack() throws {
        let own = WhisperOptions().with {
            ($0.beamSize, $0.temperatures, $0.compressionRatioThreshold) = (2, [0, 0.5], nil)
            ($0.prefix, $0.maxNewTokens) = ("Zwettl", 7)
            $0.voiceActivity = VoiceActivityOptions().with { $0.threshold = 0.4 }
            $0.guards = GuardOptions().with { $0.silence = false }
        }
        #expect(try JSONDecoder().decode(WhisperOptions.self, from: JSONEncoder().encode(own)) == own)
        let options = TranscriptionOptions(language: "de").with {
            ($0.vocabulary, $0.clips, $0.batchSize) = (["Zwettl"], [1..<2, 60..<Double.infinity], 3)
        }
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
        #expect(options.whisper == WhisperOptions().with { $0.beamSize = 1 })
    }
}
