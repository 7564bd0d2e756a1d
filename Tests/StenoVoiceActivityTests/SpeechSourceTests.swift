import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoVoiceActivity

@Suite struct SpeechSourceTests {
    /// Samples whose values are their indices.
    private func ramp(_ count: Int) -> [Float] { (0..<count).map(Float.init) }

    @Test(arguments: 0..<12) func onlyTheSpeechIsRead(seed: Int) throws {
        let (probabilities, count) = VoiceActivityRecordings.randomProbabilities(seed: seed)
        let audio = ramp(count)
        let grid = SpeechTimestampsTests.grid
        for options in stride(from: seed, to: grid.count, by: 17).map({ grid[$0] }) {
            let chunks = SpeechTimestamps.chunks(of: probabilities, sampleCount: count, options: options)
            let speech = chunks.flatMap { audio[$0] }
            let file = try SpeechSource(
                ArraySampleSource(audio), detector: ScriptedDetector(probabilities), options: options)
            #expect(try file.rewind())
            #expect(try readAll(file, pieces: [1000, 7, 30_000]) == speech)
            #expect(file.chunks == chunks && file.sampleCount == count && file.speechSampleCount == speech.count)
            #expect(try file.rewind())
            #expect(try readAll(file) == speech)

            let pipe = try SpeechSource(
                TestSources.Pipe(audio), detector: ScriptedDetector(probabilities), options: options)
            #expect(try !pipe.rewind())
            #expect(try readAll(pipe) == speech)
        }
    }

    @Test func theSecondPassDoesNotDetectAgain() throws {
        let detector = ScriptedDetector([Float](repeating: 1, count: 20))
        let source = try SpeechSource(ArraySampleSource(ramp(100_000)), detector: detector)
        _ = try readAll(source)
        let resets = detector.resets
        #expect(try source.rewind())
        _ = try readAll(source)
        #expect(detector.resets == resets)
    }

    @Test func anInterruptedPassStartsOver() throws {
        let (probabilities, count) = VoiceActivityRecordings.randomProbabilities(seed: 1)
        let source = try SpeechSource(ArraySampleSource(ramp(count)), detector: ScriptedDetector(probabilities))
        var buffer = [Float](repeating: 0, count: 100)
        _ = try buffer.withUnsafeMutableBufferPointer { try source.read(into: $0) }
        #expect(try source.rewind())
        let chunks = SpeechTimestamps.chunks(of: probabilities, sampleCount: count)
        #expect(try readAll(source) == chunks.flatMap { ramp(count)[$0] })
    }

    @Test func audioWithoutSpeechIsEmpty() throws {
        for count in [0, 1, 512, 50_000] {
            let source = try SpeechSource(ArraySampleSource(ramp(count)), detector: ScriptedDetector([]))
            #expect(try readAll(source).isEmpty)
            #expect(source.sampleCount == count && source.chunks.isEmpty)
        }
    }

    /// An hour of speech, of silence, or of both: only a few seconds are ever buffered.
    @Test(arguments: [[1], [0], [1, 1, 1, 0, 0, 0, 0, 0], [0.4], [1, 0]] as [[Float]])
    func memoryDoesNotGrowWithTheAudio(pattern: [Float]) throws {
        let windows = 3600 * 16_000 / 512
        let probabilities = (0..<windows).map { pattern[$0 / 20 % pattern.count] }
        let audio = TestSources.Counting(seconds: 3600)
        _ = audio.rewind()
        let source = try SpeechSource(audio, detector: ScriptedDetector(probabilities))
        var buffer = [Float](repeating: 0, count: 16_000)
        while try buffer.withUnsafeMutableBufferPointer({ try source.read(into: $0) }) > 0 {}
        #expect(source.sampleCount == 3600 * 16_000)
        // The longest silence that may still belong to speech, plus one read.
        #expect(source.mostBuffered <= 32_000 + 2 * 8192)
    }

    @Test func theCancellationChecksErrorEndsTheReading() throws {
        let source = try SpeechSource(ArraySampleSource(ramp(50_000)), detector: ScriptedDetector([])) {
            throw StenoError(.cancelled, "stop")
        }
        #expect(throws: StenoError.self) { try readAll(source) }
    }

    @Test func optionsOutOfRangeAreRejected() {
        let options = VoiceActivityOptions().with { $0.threshold = 2 }
        #expect(throws: StenoError.self) {
            try SpeechSource(ArraySampleSource([]), detector: EnergyDetector(), options: options)
        }
    }
}
