import StenoTestSupport
import StenoVoiceActivity
import Testing

@testable import StenoCore
@testable import StenoWhisper

/// Monitoring does not change the audio, and happens once.
@Suite struct SpeechMonitorTests {
    private let samples: [Float] = {
        var random = SplitMix64(seed: 3)
        return random.uniform(count: 5000, centre: 0, span: 0.5)
    }()
    /// Ten windows, the last of them padded.
    private let probabilities: [Float] = (1...10).map { Float($0) / 10 }

    private func read(_ source: any SampleSource, piece: Int, atMost limit: Int = .max) throws -> [Float] {
        var all: [Float] = []
        while all.count < limit {
            var buffer = [Float](repeating: 9, count: piece)
            let count = try buffer.withUnsafeMutableBufferPointer { try source.read(into: $0) }
            if count == 0 { break }
            all += buffer[..<count]
        }
        return all
    }

    @Test(arguments: [1, 7, 511, 512, 513, 4999, 8000]) func theAudioIsPassedOnInPiecesOfAnySize(piece: Int) throws {
        let monitor = SpeechMonitor(detector: ScriptedDetector(probabilities))
        let audio = monitor.tap(ArraySampleSource(samples))
        #expect(try read(audio, piece: piece) == samples)
        #expect(monitor.probabilities == probabilities)
    }

    @Test func audioIsProcessedOnce() throws {
        let monitor = SpeechMonitor(detector: ScriptedDetector(probabilities))
        let audio = monitor.tap(ArraySampleSource(samples))
        #expect(try audio.rewind())
        _ = try read(audio, piece: 600, atMost: 1800)
        #expect(monitor.probabilities.count == 3)
        #expect(try audio.rewind())
        #expect(try read(audio, piece: 700) == samples)
        #expect(monitor.probabilities == probabilities)
        #expect(try audio.rewind())
        #expect(try read(audio, piece: 999) == samples)
        #expect(monitor.probabilities == probabilities)
    }

    @Test func aPipeIsMonitoredAsItArrives() throws {
        let monitor = SpeechMonitor(detector: ScriptedDetector(probabilities))
        let audio = monitor.tap(TestSources.Pipe(samples))
        #expect(try !audio.rewind())
        #expect(try read(audio, piece: 400) == samples)
        #expect(monitor.probabilities == probabilities)
    }

    /// A window's probabilities must not depend on how far a pipe has been read.
    @Test func profilesHaveOnlyTheirOwnWindows() throws {
        let monitor = SpeechMonitor(detector: ScriptedDetector(probabilities))
        let audio = monitor.tap(ArraySampleSource(samples))
        _ = try read(audio, piece: 512, atMost: 2048)
        let early = monitor.profile(of: 1000..<2047)
        #expect(early.probabilities == Array(probabilities[1..<3]))
        #expect(early.start == VoiceActivity.windowSeconds && early.step == VoiceActivity.windowSeconds)
        _ = try read(audio, piece: 512)
        #expect(monitor.profile(of: 1000..<2047) == early)
        #expect(monitor.profile(of: -3000..<600).probabilities == Array(probabilities[..<1]))
        #expect(monitor.profile(of: 9000..<9999).probabilities == [])
    }
}
