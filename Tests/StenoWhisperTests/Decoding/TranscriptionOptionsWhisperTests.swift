import StenoCore
import StenoWhisper
import Testing

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
