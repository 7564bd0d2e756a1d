import Foundation
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
        for options in stride(from: seed, to: grid.count, by: isLong ? 17 : 85).map({ grid[$0] }) {
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

    /// Minutes of speech, of silence, or of both: only a few seconds are ever buffered.
    @Test(arguments: [[1], [0], [1, 1, 1, 0, 0, 0, 0, 0], [0.4], [1, 0]] as [[Float]])
    func memoryDoesNotGrowWithTheAudio(pattern: [Float]) throws {
        let count = 120 * 16_000
        let probabilities = (0..<count / 512).map { pattern[$0 / 20 % pattern.count] }
        let audio = TestSources.Counting(seconds: 120)
        _ = audio.rewind()
        let source = try SpeechSource(audio, detector: ScriptedDetector(probabilities))
        var buffer = [Float](repeating: 0, count: 16_000)
        while try buffer.withUnsafeMutableBufferPointer({ try source.read(into: $0) }) > 0 {}
        #expect(source.sampleCount == count)
        // The longest silence that may still belong to speech, plus one read.
        #expect(source.mostBuffered <= 32_000 + 2 * 8192)
    }

    @Test func theCancellationChecksErrorEndsTheReading() throws {
        let source = try SpeechSource(ArraySampleSource(ramp(50_000)), detector: ScriptedDetector([])) {
            throw StenoError(.cancelled, "stop")
        }
        #expect(throws: StenoError.self) { try readAll(source) }
        // Options out of range are rejected.
        let options = VoiceActivityOptions().with { $0.threshold = 2 }
        #expect(throws: StenoError.self) {
            try SpeechSource(ArraySampleSource([]), detector: EnergyDetector(), options: options)
        }
    }
}

@Suite struct EnergyDetectorTests {
    private func probabilities(_ samples: [Float]) -> [Float] {
        var stream = VoiceActivityStream(EnergyDetector())
        return stream.push(samples)
    }

    private func noise(_ seconds: Double, decibels: Double) -> [Float] {
        // Uniform noise is 4.8 dB below its peaks.
        let gain = pow(10, (decibels + 4.77) / 20)
        return TestAudio.noise(seed: 5, count: Int(seconds * 16_000), gain: gain)
    }

    @Test func silenceAndSteadyNoiseAreNotSpeech() {
        #expect(probabilities([Float](repeating: 0, count: 48_000)).allSatisfy { $0 < 0.1 })
        #expect(probabilities(noise(5, decibels: -50)).allSatisfy { $0 < 0.1 })
        // Audio louder than the noise is speech.
        let audio = noise(4, decibels: -50) + noise(1, decibels: -25) + noise(1, decibels: -50)
        let found = probabilities(audio)
        #expect(found[..<124].allSatisfy { $0 < 0.5 })
        #expect(found[126..<155].allSatisfy { $0 > 0.9 })
        #expect(found[157...].allSatisfy { $0 < 0.5 })
    }

    @Test func speechContinuesAtALowerLevel() {
        let quiet = noise(4, decibels: -50)
        // 7 dB above the noise: too little for speech to begin, enough for it to continue.
        let middle = noise(0.5, decibels: -43)
        #expect(probabilities(quiet + middle).dropFirst(126).allSatisfy { $0 < 0.5 })
        let after = probabilities(quiet + noise(0.5, decibels: -25) + middle)
        #expect(after[142..<155].allSatisfy { $0 > 0.5 })
    }

    @Test func constantNoiseIsAcceptedAfterThreeSeconds() {
        let found = probabilities(noise(2, decibels: -55) + noise(6, decibels: -35))
        #expect(found[70] > 0.5)
        #expect(found[180...].allSatisfy { $0 < 0.5 })
        // Audio below the floor is never speech.
        #expect(probabilities([Float](repeating: 0, count: 64_000) + noise(1, decibels: -62)).allSatisfy { $0 < 0.5 })
    }

    @Test func chunkSizesDoNotMatter() throws {
        let audio = try TestAudio.speech()
        var stream = VoiceActivityStream(EnergyDetector())
        let pieces = stride(from: 0, to: audio.count, by: 700).flatMap {
            stream.push(Array(audio[$0..<min($0 + 700, audio.count)]))
        }
        #expect(pieces == probabilities(audio))
        // A human voice: mostly speech, with pauses.
        #expect((0.3...0.95).contains(Double(pieces.count { $0 > 0.5 }) / Double(pieces.count)))
    }
}
