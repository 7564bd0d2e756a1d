import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoVoiceActivity
@testable import StenoWhisper

/// Audio without speech gives no text, on a model that writes something for every window.
struct SilenceTests {
    let model: WhisperModel

    init() throws { model = try SmallModel.load() }

    private func transcribe(
        _ samples: [Float], isPipe: Bool = false, _ change: (inout TranscriptionOptions) -> Void = { _ in }
    ) throws -> Transcript {
        let source: any SampleSource = isPipe ? TestSources.Pipe(samples) : ArraySampleSource(samples)
        return try model.transcribe(source, options: TranscriptionTests.options(change))
    }

    private static func zeros(_ seconds: Int) -> [Float] { [Float](repeating: 0, count: seconds * 16_000) }

    @Test(arguments: [false, true]) func digitalSilenceGivesNoTextAndANote(isPipe: Bool) throws {
        for level: Float in [0, 1 / 32_768, -1 / 32_768] as [Float] {
            let transcript = try transcribe([Float](repeating: level, count: 80_000), isPipe: isPipe)
            #expect(transcript.text.isEmpty)
            #expect(transcript.duration == 5)
            #expect(transcript.warnings == [TranscriptionWarning(.noSpeech, "No speech was found in 5.0 s of audio.")])
        }
        #expect(try !transcribe([Float](repeating: 0.001, count: 80_000), isPipe: isPipe).text.isEmpty)
    }

    @Test func fasterWhispersOptionDecodesIt() throws {
        let transcript = try transcribe(Self.zeros(5)) { $0.whisper.skipsSilence = false }
        #expect(!transcript.text.isEmpty)
        #expect(transcript.warnings == nil)
    }

    /// Silent windows of two seconds are not decoded, and the others' times are right.
    @Test func silenceBetweenIsSkippedWindowByWindow() throws {
        let noise = TranscriptionTests.noise(seconds: 2)
        let both = try transcribe(Self.zeros(4) + noise + Self.zeros(6)) { $0.whisper.withoutTimestamps = true }
        #expect(both.segments.map(\.start) == [4])
        #expect(both.segments.map(\.end) == [6])
        #expect(both.warnings == nil)
        #expect(both.duration == 12)
        var progress: [Double] = []
        _ = try model.transcribe(
            ArraySampleSource(Self.zeros(4) + noise + Self.zeros(6)),
            options: TranscriptionTests.options { $0.whisper.withoutTimestamps = true },
            onEvent: { if case .progress(let done, _) = $0 { progress.append(done) } })
        #expect(progress == progress.sorted() && progress.last == 12)
    }

    @Test func silenceHasNoLanguage() throws {
        // The transcript of silence has the language that faster-whisper finds.
        for (samples, isKnown) in [([], false), (Self.zeros(3), true)] {
            var languages: [String] = []
            let transcript = try model.transcribe(
                ArraySampleSource(samples), options: TranscriptionTests.options { $0.language = nil },
                onEvent: { if case .language(let it) = $0 { languages.append(it.language) } })
            #expect((transcript.language == "und") != isKnown)
            #expect((transcript.languageProbability == 0) != isKnown)
            #expect(languages.isEmpty != isKnown)
            #expect(transcript.text.isEmpty)
            expectError(.noSpeech) {
                try model.detectLanguage(ArraySampleSource(samples), TranscriptionOptions(), isCancelled: { false })
            }
        }
    }

    @Test(arguments: [0, 1, 159, 160, 401, 1599]) func audioTooShortForAWordGivesOneNote(samples: Int) throws {
        let transcript = try transcribe(TestAudio.noise(seed: 2, count: samples, gain: 0.3))
        #expect(transcript.text.isEmpty)
        #expect(transcript.warnings?.map(\.code) == [.audioEmpty])
    }

    @Test func aClipBeyondTheEndGivesOneNote() throws {
        let audio = TranscriptionTests.noise(seconds: 2)
        let beyond = try transcribe(audio) { $0.clips = [5..<7] }
        #expect(beyond.text.isEmpty)
        #expect(beyond.warnings?.map(\.message) == ["A clip begins at 5.0 s, but the audio ends at 2.0 s."])
        #expect(try transcribe(audio) { $0.clips = [1..<7] }.warnings == nil)
    }

    private final class Listener: VoiceActivityDetector {
        var peak: Float = 0

        func append(probabilitiesOf windows: UnsafeBufferPointer<Float>, to probabilities: inout [Float]) {
            peak = windows.reduce(peak) { max($0, abs($1)) }
            probabilities += [Float](repeating: 0, count: windows.count / VoiceActivity.windowLength)
        }

        func reset() {}
    }

    @Test func theNetworkHearsQuietAudioAmplified() throws {
        for (level, heard) in [(Float(0.5), Float(0.5)), (0.1, 0.1), (0.001, 0.1), (1e-5, 0.03), (0, 0)]
            as [(Float, Float)]
        {
            let listener = Listener()
            let presence = SpeechPresence(detector: listener)
            let audio = presence.tap(ArraySampleSource([Float](repeating: level, count: 4096)))
            var buffer = [Float](repeating: 9, count: 4096)
            #expect(try buffer.withUnsafeMutableBufferPointer { try audio.read(into: $0) } == 4096)
            #expect(buffer.allSatisfy { $0 == level }, "the audio itself is not changed")
            #expect(abs(listener.peak - heard) < 1e-4)
        }
    }

    private func presence(_ probabilities: [Float], windows: Int, isRead times: Int = 1) throws -> SpeechPresence {
        let samples = [Float](repeating: 0.1, count: windows * VoiceActivity.windowLength)
        let presence = SpeechPresence(detector: ScriptedDetector(probabilities))
        let audio = presence.tap(ArraySampleSource(samples))
        #expect(!presence.isWithoutSpeech, "nothing is known yet")
        for _ in 0..<times {
            #expect(try audio.rewind())
            var buffer = [Float](repeating: 0, count: 700)
            while try buffer.withUnsafeMutableBufferPointer({ try audio.read(into: $0) }) > 0 {}
        }
        return presence
    }

    @Test func oneWindowOfSpeechIsEnough() throws {
        #expect(try presence([0, 0.1, 0.29, 0], windows: 4).isWithoutSpeech)
        for place in 0..<4 {
            var probabilities = [Float](repeating: 0.1, count: 4)
            probabilities[place] = 0.3
            #expect(try !presence(probabilities, windows: 4).isWithoutSpeech)
        }
        // A second reading changes nothing.
        // The detector would find speech in a fifth and later windows, which do not exist.
        #expect(try presence([0, 0, 0, 0, 0, 1, 1], windows: 4, isRead: 3).isWithoutSpeech)
    }

    @Test func textIsDoubtfulByItsProbabilitiesUnlessTheyAreOff() {
        func isDoubtful(
            _ logProbability: Double, _ noSpeech: Double, _ change: (inout QualityThresholds) -> Void = { _ in }
        )
            -> Bool
        {
            var thresholds = QualityThresholds()
            change(&thresholds)
            return thresholds.isDoubtful(
                TextQuality(averageLogProbability: logProbability, compressionRatio: 1, noSpeechProbability: noSpeech))
        }
        // Quiet speech, and the base model's text for noise.
        #expect(!isDoubtful(-0.52, 0.69))
        #expect(isDoubtful(-0.58, 0.74))
        #expect(isDoubtful(-0.72, 0.7))
        #expect(isDoubtful(-0.56, 0.99))
        #expect(!isDoubtful(-0.72, 0.7) { $0.logProbability = nil })
        #expect(!isDoubtful(-0.5, 0.99) { $0.noSpeech = nil })
    }
}
