import Foundation
import StenoCore
import StenoVoice
import StenoWhisper
import Testing

/// Options as JSON, and in expressions.
@Suite struct WhisperOptionsCodableTests {
    @Test func optionsAreReadBack() throws {
        let options = WhisperOptions(
            language: "de", beamSize: 2, temperatures: [0, 0.5], compressionRatioThreshold: nil, hotwords: "Zwettl",
            voiceActivity: VoiceActivityOptions(threshold: 0.4), guards: GuardOptions(silence: false),
            clips: [1..<2, 60..<Double.infinity], maxNewTokens: 7)
        let data = try JSONEncoder().encode(options)
        #expect(try JSONDecoder().decode(WhisperOptions.self, from: data) == options)
        let request = TranscriptionRequest(language: "de", clips: [1..<Double.infinity], batchSize: 3)
        let read = try JSONDecoder().decode(TranscriptionRequest.self, from: JSONEncoder().encode(request))
        #expect(read.language == "de" && read.clips == request.clips && read.batchSize == 3)
    }

    @Test func whatIsMissingHasItsDefault() throws {
        let options = try JSONDecoder().decode(WhisperOptions.self, from: Data(#"{"beamSize": 1}"#.utf8))
        #expect(options == WhisperOptions(beamSize: 1))
        #expect(options.compressionRatioThreshold == 2.4)
        let off = try JSONDecoder().decode(WhisperOptions.self, from: Data(#"{"noSpeechThreshold": null}"#.utf8))
        #expect(off.noSpeechThreshold == nil)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(WhisperOptions.self, from: Data(#"{"clips": [{"start": 2, "end": 1}]}"#.utf8))
        }
    }
}
