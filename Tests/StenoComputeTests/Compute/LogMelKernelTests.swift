import CStenoKernels
import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute

struct LogMelKernelTests {
    typealias Kernel = (UnsafePointer<Float>, Int, MelFilterbank, UnsafeMutablePointer<Float>) -> Float

    static let filterbank = MelFilterbank(count: 80)

    /// The definition in double precision, without a fast transform or tables.
    static func definition(_ samples: ArraySlice<Float>) -> [Double] {
        let windowed = samples.enumerated().map { index, sample in
            Double(sample) * (0.5 - 0.5 * cos(2 * .pi * Double(index) / 400))
        }
        let power = powerSpectrum(windowed, length: 400)
        return (0..<80).map { band in
            let energy = zip(filterbank.denseRow(band), power).reduce(0) { $0 + Double($1.0) * $1.1 }
            return log10(max(energy, 1e-10))
        }
    }

    static func rows(_ samples: [Float], frames: Int, by kernel: Kernel) -> (rows: [Float], maximum: Float) {
        var rows = [Float](repeating: .nan, count: frames * 80 + 1)
        let maximum = kernel(samples, frames, filterbank, &rows)
        #expect(rows.removeLast().isNaN, "wrote beyond the last row")
        return (rows, maximum)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17]) func equalsTheDefinition(frames: Int) throws {
        // Exactly as many samples as the frames cover, so that the address sanitizer catches any read beyond them.
        let samples = TestAudio.noise(seed: 4, count: (frames - 1) * 160 + 400, gain: 0.5)
        let kernels: [Kernel] = [LogMelKernel.compute, LogMelKernel.computePortably]
        let expected = [0, frames - 1].map { Self.definition(samples[($0 * 160)..<($0 * 160 + 400)]) }
        for kernel in kernels {
            let (rows, maximum) = Self.rows(samples, frames: frames, by: kernel)
            #expect(rows.allSatisfy { $0.isFinite } && maximum == rows.max())
            for (row, expected) in zip([rows.prefix(80), rows.suffix(80)], expected) {
                #expect(largestDistance(row, expected) < 4e-6)
            }
        }
    }

    /// Energies from far below the floor to that of a full-scale square wave.
    @Test func logarithmIsRightOverTheWholeRange() {
        for exponent in stride(from: -24, through: 1, by: 1) {
            let gain = pow(2, Double(exponent))
            let samples = TestAudio.noise(seed: 5, count: 400, gain: gain)
            let expected = Self.definition(samples[...])
            for kernel in [LogMelKernel.compute, LogMelKernel.computePortably] {
                let row = Self.rows(samples, frames: 1, by: kernel).rows
                #expect(largestDistance(row, expected) < 4e-6, "gain 2^\(exponent)")
            }
        }
    }

    @Test func silenceIsTheFloor() {
        for kernel in [LogMelKernel.compute, LogMelKernel.computePortably] {
            let (rows, maximum) = Self.rows([Float](repeating: 0, count: 720), frames: 3, by: kernel)
            #expect(rows.allSatisfy { $0 == -10 })
            #expect(maximum == rows.max())
        }
    }

    @Test func noFramesWriteNothing() {
        #expect(Self.rows([0], frames: 0, by: LogMelKernel.compute).maximum == -10)
    }

    @Test(arguments: [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
    func samplesThatAreNotNumbersGiveNumbers(sample: Float) {
        var samples = [Float](repeating: 0.1, count: 400 + 160 * 8)
        samples[900] = sample
        for kernel in [LogMelKernel.compute, LogMelKernel.computePortably] {
            let (rows, maximum) = Self.rows(samples, frames: 9, by: kernel)
            #expect(rows.allSatisfy { $0.isFinite })
            #expect(maximum.isFinite)
        }
    }

    /// Blocks can be split over threads: the result is bit-identical wherever they are cut.
    @Test func cuttingABlockChangesNothing() {
        let samples = TestAudio.noise(seed: 6, count: 40 * 160 + 400, gain: 0.3)
        let whole = Self.rows(samples, frames: 41, by: LogMelKernel.compute).rows
        for cut in [1, 3, 8, 13, 40] {
            let front = Self.rows(samples, frames: cut, by: LogMelKernel.compute).rows
            let back = Self.rows(Array(samples[(cut * 160)...]), frames: 41 - cut, by: LogMelKernel.compute).rows
            #expect(front + back == whole)
        }
    }

    @Test func normalizingIsWhispersFormula() {
        var output = [Float](repeating: .nan, count: 4)
        LogMelKernel.normalize([-10, -6.5, 0, 1.5], count: 4, maximum: 1.5, into: &output)
        #expect(output == [-0.625, -0.625, 1, 1.375])
    }
}
