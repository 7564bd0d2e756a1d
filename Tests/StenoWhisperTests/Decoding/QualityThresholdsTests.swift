import Foundation
import StenoCore
import StenoVoiceActivity
import Testing

@testable import StenoWhisper

struct QualityThresholdsTests {
    private func quality(_ logProbability: Double, _ ratio: Double, _ noSpeech: Double) -> TextQuality {
        TextQuality(averageLogProbability: logProbability, compressionRatio: ratio, noSpeechProbability: noSpeech)
    }

    /// The defaults are the paper's: 2.4, −1 and 0.6; at a threshold a text passes.
    @Test(arguments: [
        // Log probability, compression ratio, no-speech probability: whether it fails, whether it is silence.
        (-0.5, 1.5, 0.1, false, false), (-1, 2.4, 0.6, false, false), (-1.001, 1.5, 0.1, true, false),
        (-0.5, 2.401, 0.1, true, false), (-1.001, 2.401, 0.1, true, false),
        // Probable text is kept, however little speech there seems to be, and is decoded again if it repeats itself.
        (-0.5, 1.5, 0.9, false, false), (-0.5, 2.401, 0.9, true, false), (-1.001, 1.5, 0.6, true, false),
        // Improbable silence is not decoded again, even when it repeats itself.
        (-1.001, 1.5, 0.601, false, true), (-1.001, 2.401, 0.601, false, true),
        // At the probability threshold, faster-whisper takes it for silence, but also for probable enough.
        (-1, 1.5, 0.601, false, true), (-1, 2.401, 0.601, true, true),
        (-.infinity, 1.5, 0.1, true, false), (-0.5, .infinity, 0.1, true, false),
    ])
    func theDefaults(logProbability: Double, ratio: Double, noSpeech: Double, fails: Bool, isSilence: Bool) {
        let text = quality(logProbability, ratio, noSpeech)
        #expect(QualityThresholds().fail(text) == fails)
        #expect(QualityThresholds().isSilence(text) == isSilence)
        #expect(WhisperOptions().thresholds.fail(text) == fails)
    }

    /// Without a threshold, there is no check.
    @Test func nilIsOff() {
        let bad = quality(-10, 10, 1)
        #expect(!QualityThresholds(compressionRatio: nil, logProbability: nil, noSpeech: nil).fail(bad))
        #expect(!QualityThresholds(compressionRatio: nil, logProbability: nil, noSpeech: nil).isSilence(bad))
        #expect(QualityThresholds(compressionRatio: 2.4, logProbability: nil, noSpeech: nil).fail(bad))
        #expect(QualityThresholds(compressionRatio: nil, logProbability: -1, noSpeech: nil).fail(bad))
        #expect(!QualityThresholds(compressionRatio: nil, logProbability: -1, noSpeech: 0.6).fail(bad))
        // Without a probability threshold, only the no-speech probability decides, and nothing excuses repetition.
        #expect(
            QualityThresholds(compressionRatio: nil, logProbability: nil, noSpeech: 0.6).isSilence(quality(0, 1, 1)))
        #expect(QualityThresholds(compressionRatio: 2.4, logProbability: nil, noSpeech: 0.6).fail(bad))
    }

    @Test func theOptionsThresholds() {
        var options = WhisperOptions()
        #expect(options.thresholds == QualityThresholds())
        (options.compressionRatioThreshold, options.logProbabilityThreshold, options.noSpeechThreshold) = (3, nil, 0.1)
        #expect(options.thresholds == QualityThresholds(compressionRatio: 3, logProbability: nil, noSpeech: 0.1))
    }
}

/// Whisper's own options within those of every model.
struct TranscriptionOptionsWhisperTests {
    @Test func setOptionsAreKept() {
        var options = TranscriptionOptions(language: "de")
        options.whisper.beamSize = 1
        options.whisper.voiceActivity = .batched
        options.whisper.voiceActivity?.threshold = 0.4
        #expect(options.whisper.beamSize == 1 && options.whisper.voiceActivity?.threshold == 0.4)
        #expect(options.language == "de")
        #expect(options.family?.changes == ["beamSize", "voiceActivity"])
    }

    /// Options reset to their defaults require nothing of a model.
    @Test func defaultsAddNoFamilyOptions() {
        var options = TranscriptionOptions()
        #expect(options.whisper == WhisperOptions() && options.family == nil)
        options.whisper.beamSize = 1
        #expect(options.family != nil)
        options.whisper.beamSize = 5
        #expect(options.family == nil && options == TranscriptionOptions())
    }

    @Test func comparisonsIncludeThem() {
        var (one, other) = (TranscriptionOptions(), TranscriptionOptions())
        one.whisper.temperatures = [0]
        #expect(one != other)
        other.whisper.temperatures = [0]
        #expect(one == other && one.hashValue == other.hashValue)
        other.whisper.temperatures = [0.2]
        #expect(one != other)
    }
}

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
        // Null turns a threshold off.
        let off = try JSONDecoder().decode(WhisperOptions.self, from: Data(#"{"noSpeechThreshold": null}"#.utf8))
        #expect(off.noSpeechThreshold == nil)
        // A range with such bounds would crash.
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
