import Foundation
import Steno
import StenoTestSupport
import Testing

@testable import StenoWhisperKit

struct AudioProcessorTests {
    @Test func energiesAreRelativeToTheQuietestInTwoSeconds() {
        let processor = AudioProcessor()
        #expect(processor.relativeEnergy.isEmpty)
        for level in [-60, -30, 0] as [Float] { processor.append(level: level) }
        #expect(processor.relativeEnergy == [0, 0.5, 1])
        for _ in 0..<20 { processor.append(level: -30) }
        #expect(processor.relativeEnergy.last == 0, "the quiet start is more than two seconds ago")
        for _ in 0..<1000 { processor.append(level: -120) }
        #expect(processor.relativeEnergy.count == 300, "half a minute is kept")
        processor.append(level: 0)
        #expect(processor.relativeEnergy.last == 1)
    }

    @Test func aVoiceIsLouderThanTheThreshold() {
        func detects(_ energies: [Float], _ seconds: Float, _ threshold: Float = 0.3) -> Bool {
            AudioProcessor.isVoiceDetected(in: energies, nextBufferInSeconds: seconds, silenceThreshold: threshold)
        }
        let quiet = [Float](repeating: 0.1, count: 40)
        #expect(!detects(quiet, 4) && detects(quiet + [0.9], 1))
        #expect(!detects(quiet + [0.3], 1), "not as loud, but louder")
        #expect(!detects([0.9] + quiet, 4), "only what is new counts")
        #expect(!detects(quiet + [0.9], 3), "of three seconds the last does not count")
        #expect(!detects([], 1) && !detects([0.9], 0))
        #expect(!detects([0.9], -.infinity) && !detects([0.9], .nan))
        #expect(detects([0.9], .infinity))
    }

    @Test func aFileIsReadAsSamples() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("ramp.wav")
        let samples = (0..<40_000).map { Float($0 % 1_000) / 1_000 }
        try AudioFile.write(samples: samples, to: file)
        let whole = try AudioProcessor.loadAudioAsFloatArray(fromPath: file.path)
        #expect(whole.count == samples.count)
        let times: [(Double?, Double?, Range<Int>)] = [
            (0.5, 2, 8_000..<32_000), (nil, 0.1, 0..<1_600), (2, nil, 32_000..<40_000), (-1, .infinity, 0..<40_000),
            (2, 1, 0..<0), (.infinity, nil, 0..<0), (.nan, nil, 0..<40_000),
        ]
        for (start, end, range) in times {
            let part = try AudioProcessor.loadAudioAsFloatArray(fromPath: file.path, startTime: start, endTime: end)
            #expect(part == Array(whole[range]))
        }
        #expect(throws: WhisperError.self) { try AudioProcessor.loadAudioAsFloatArray(fromPath: "/no/such/file.wav") }
    }
}
