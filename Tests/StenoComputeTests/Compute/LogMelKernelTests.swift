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
        let power = Reference.power(windowed, length: 400)
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

extension ComputeTests {
    /// Log-mel features of models other than Whisper.
    struct LogMelGeometryTests {
        /// Lengths, a window, a logarithm, and runs of weights over all bins instead of mel filters.
        struct Geometry: CustomTestStringConvertible, Sendable {
            var fft: Int
            var frame: Int
            var hop: Int
            var isNatural = false
            var guardValue: Float = 0
            var floor: Float = 0
            var hasOwnWindow = false

            var testDescription: String { "\(frame) of \(fft) samples\(hasOwnWindow ? ", own window" : "")" }
            var bins: Int { fft / 2 + 1 }

            /// A symmetric Hann window, as in NeMo's models, or the periodic one.
            var window: [Double] {
                let period = Double(hasOwnWindow ? frame - 1 : frame)
                return (0..<frame).map { (index: Int) -> Double in 0.5 - 0.5 * cos(2 * .pi * Double(index) / period) }
            }

            static let filterCount = 41
            var firstBins: [Int32] { (0..<Self.filterCount).map { Int32($0 * (bins - 8) / (Self.filterCount - 1)) } }
            var weightStarts: [Int32] { (0...Self.filterCount).map { Int32($0 * 8) } }
            var weights: [Float] { (0..<Self.filterCount * 8).map { 0.05 / Float(1 + $0 % 8) } }

            /// The definition, in double precision.
            func definition(_ samples: ArraySlice<Float>) -> [Double] {
                let power = Reference.power(zip(samples, window).map { Double($0) * $1 }, length: fft)
                return (0..<Self.filterCount).map { filter in
                    let first = Int(firstBins[filter])
                    let energy = (0..<8).reduce(0) { $0 + Double(weights[filter * 8 + $1]) * power[first + $1] }
                    let least = max(energy + Double(guardValue), Double(floor))
                    return isNatural ? log(least) : log10(least)
                }
            }

            func plan() -> OpaquePointer? {
                let window = window.map(Float.init)
                return window.withUnsafeBufferPointer { window in
                    var geometry = steno_log_mel_geometry()
                    (geometry.fft_length, geometry.frame_length, geometry.hop) = (Int32(fft), Int32(frame), Int32(hop))
                    geometry.window = hasOwnWindow ? window.baseAddress : nil
                    geometry.logarithm = isNatural ? STENO_LOG_NATURAL : STENO_LOG10
                    (geometry.guard, geometry.floor) = (guardValue, floor)
                    return steno_log_mel_create(&geometry)
                }
            }

            func rows(_ samples: [Float], frames: Int, _ plan: OpaquePointer, isPortable: Bool = false) -> (
                rows: [Float], maximum: Float
            ) {
                var rows = [Float](repeating: .nan, count: frames * Self.filterCount + 1)
                let maximum = firstBins.withUnsafeBufferPointer { firstBins in
                    weightStarts.withUnsafeBufferPointer { starts in
                        weights.withUnsafeBufferPointer { weights in
                            var filters = steno_mel_filters(
                                count: Self.filterCount, first_bin: firstBins.baseAddress,
                                weight_start: starts.baseAddress, weights: weights.baseAddress)
                            let compute = isPortable ? steno_log_mel_compute_portable : steno_log_mel_compute
                            return compute(plan, samples, frames, &filters, &rows)
                        }
                    }
                }
                #expect(rows.removeLast().isNaN, "wrote beyond the last row")
                return (rows, maximum)
            }
        }

        static let geometries = [
            // FastConformer: 25 ms in a transform of 512, ln with a guard.
            Geometry(fft: 512, frame: 400, hop: 160, isNatural: true, guardValue: 0x1p-24, hasOwnWindow: true),
            Geometry(fft: 320, frame: 320, hop: 160, floor: 1e-10),
            Geometry(fft: 400, frame: 400, hop: 160, isNatural: true, guardValue: 1e-6, hasOwnWindow: true),
            Geometry(fft: 400, frame: 201, hop: 100, floor: 1e-10),
            Geometry(fft: 2048, frame: 1764, hop: 441, floor: 1e-10),
            Geometry(fft: 2 * 3 * 7 * 31, frame: 501, hop: 77, floor: 1e-10),
            Geometry(fft: 22, frame: 22, hop: 30, floor: 1e-10),
        ]

        @Test(arguments: geometries) func equalsTheDefinition(geometry: Geometry) throws {
            let plan = try #require(geometry.plan())
            defer { steno_log_mel_destroy(plan) }
            var random = SplitMix64(seed: 9)
            let all = random.uniform(count: 8 * geometry.hop + geometry.frame, centre: 0, span: 1)
            let expected = (0..<9).flatMap { geometry.definition(all[($0 * geometry.hop)...].prefix(geometry.frame)) }
            for frames in [1, 3, 4, 8, 9] {
                // Exactly as many samples as the frames have, so that the address sanitizer catches any read beyond
                // them.
                let samples = Array(all.prefix((frames - 1) * geometry.hop + geometry.frame))
                for isPortable in [false, true] {
                    let (rows, maximum) = geometry.rows(samples, frames: frames, plan, isPortable: isPortable)
                    #expect(maximum == rows.max())
                    #expect(largestDistance(rows, expected.prefix(rows.count)) < 2e-5)
                }
            }
        }

        @Test func silenceIsTheLogarithmOfTheGuard() throws {
            let plan = try #require(Self.geometries[0].plan())
            defer { steno_log_mel_destroy(plan) }
            let (rows, _) = Self.geometries[0].rows([Float](repeating: 0, count: 560), frames: 2, plan)
            #expect(rows.allSatisfy { abs($0 + 16.635532) < 1e-5 })
            #expect(abs(Self.geometries[0].rows([0], frames: 0, plan).maximum + 16.635532) < 1e-5)
        }

        /// No sample gives NaN, in silence either.
        @Test(arguments: [Float.nan, .infinity, .greatestFiniteMagnitude])
        func samplesThatAreNotNumbersGiveNumbers(sample: Float) throws {
            for geometry in Self.geometries {
                let plan = try #require(geometry.plan())
                defer { steno_log_mel_destroy(plan) }
                var samples = [Float](repeating: 0.1, count: 3 * geometry.hop + geometry.frame)
                samples[geometry.hop + 3] = sample
                #expect(geometry.rows(samples, frames: 4, plan).rows.allSatisfy { $0.isFinite })
            }
        }

        @Test func impossibleGeometriesAreNil() {
            let good = Geometry(fft: 512, frame: 400, hop: 160, floor: 1e-10)
            for change: (inout Geometry) -> Void in [
                { $0.fft = 511 }, { $0.fft = 4096 }, { $0.fft = 2 * 37 }, { $0.frame = 513 }, { $0.frame = 0 },
                { $0.hop = 0 }, { $0.floor = 0 }, { $0.floor = .nan }, { $0.guardValue = -1 },
                { $0.guardValue = .infinity },
            ] {
                var geometry = good
                change(&geometry)
                #expect(geometry.plan() == nil)
            }
        }

        @Test func preEmphasisSubtractsAFractionOfThePreviousSample() {
            var y = [Float](repeating: .nan, count: 3)
            steno_pre_emphasis([1, 2, -1], 3, 0.5, 4, &y)
            #expect(y == [-1, 1.5, -2])
            steno_pre_emphasis(y, 3, 0.5, 0, &y)
            #expect(y == [-1, 2, -2.75])
        }
    }
}
