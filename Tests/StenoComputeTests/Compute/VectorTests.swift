import CStenoKernels
import CStenoKernelsWide
import Foundation
import StenoTestSupport
import Testing

@_spi(Benchmarks) @testable import StenoCompute

extension ComputeTests {
    struct LayerNormTests {
        static func norm(
            _ x: [Float], stride: Int, width: Int, gamma: [Float], beta: [Float], _ variant: KernelVariant,
            pool: OpaquePointer? = nil
        ) -> [Float] {
            let rows = Int32(x.count / stride)
            var y = [Float](repeating: .nan, count: x.count)
            switch variant {
            case .machine:
                steno_layer_norm(pool, x, Int64(stride), rows, Int32(width), gamma, beta, 1e-5, &y, Int64(stride))
            case .wide: wide_layer_norm(x, Int64(stride), rows, Int32(width), gamma, beta, 1e-5, &y)
            }
            return y
        }

        static func expected(_ x: ArraySlice<Float>, gamma: [Float], beta: [Float]) -> [Double] {
            let values = x.map(Double.init), count = Double(x.count)
            let mean = values.reduce(0, +) / count
            let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
            return values.indices.map {
                (values[$0] - mean) / (variance + 1e-5).squareRoot() * Double(gamma[$0]) + Double(beta[$0])
            }
        }

        @Test(arguments: KernelVariant.allCases) func equalsTheDefinition(variant: KernelVariant) {
            var random = SplitMix64(seed: 1)
            for width in [1, 2, 7, 8, 9, 15, 16, 17, 64, 100, 384] {
                let stride = width + 3
                let gamma = random.uniform(count: width, centre: 1, span: 0.5)
                let beta = random.uniform(count: width, centre: 0, span: 1)
                let x = random.uniform(count: 5 * stride, centre: 1, span: 3)
                let y = Self.norm(x, stride: stride, width: width, gamma: gamma, beta: beta, variant)
                for row in 0..<5 {
                    let expected = Self.expected(x[row * stride..<row * stride + width], gamma: gamma, beta: beta)
                    let row = y[row * stride..<(row + 1) * stride]
                    #expect(largestDistance(row.prefix(width), expected) < 1e-5, "width \(width)")
                    #expect(row.dropFirst(width).allSatisfy { $0.isNaN })
                }
            }
        }

        /// A large mean does not cancel the differences.
        @Test(arguments: KernelVariant.allCases) func doesNotCancel(variant: KernelVariant) {
            var random = SplitMix64(seed: 2)
            let x = random.uniform(count: 256, centre: 1000, span: 1)
            let gamma = [Float](repeating: 1, count: 256), beta = [Float](repeating: 0, count: 256)
            let y = Self.norm(x, stride: 256, width: 256, gamma: gamma, beta: beta, variant)
            #expect(largestDistance(y, Self.expected(x[...], gamma: gamma, beta: beta)) < 5e-4)
        }

        @Test(arguments: KernelVariant.allCases) func equalValuesGiveBeta(variant: KernelVariant) {
            let beta = (0..<64).map(Float.init)
            let y = Self.norm([Float](repeating: 3, count: 64), stride: 64, width: 64, gamma: beta, beta: beta, variant)
            #expect(y == beta)
        }

        @Test func inPlaceAndInAnyNumberOfThreads() {
            var random = SplitMix64(seed: 3)
            let x = random.uniform(count: 150 * 40, centre: 0, span: 1)
            let gamma = random.uniform(count: 40, centre: 1, span: 1)
            let expected = Self.norm(x, stride: 40, width: 40, gamma: gamma, beta: gamma, .machine)
            expectSameInAnyNumberOfThreads { pool in
                var y = x
                y.withUnsafeMutableBufferPointer {
                    steno_layer_norm(pool, $0.baseAddress, 40, 150, 40, gamma, gamma, 1e-5, $0.baseAddress, 40)
                }
                #expect(y == expected)
                return y
            }
        }
    }

    struct ReductionTests {
        static func logSumExp(_ x: [Float], _ variant: KernelVariant) -> Double {
            Double(variant == .wide ? wide_log_sum_exp(x, Int64(x.count)) : steno_log_sum_exp(x, Int64(x.count)))
        }

        static func maximum(_ x: [Float], _ variant: KernelVariant) -> Float {
            variant == .wide ? wide_maximum(x, Int64(x.count)) : steno_maximum(x, Int64(x.count))
        }

        @Test(arguments: KernelVariant.allCases) func maximumOfAnyCount(variant: KernelVariant) {
            var random = SplitMix64(seed: 1)
            for count in Array(1...70) + [51865] {
                let x = random.uniform(count: count, centre: -3, span: 2)
                #expect(Self.maximum(x, variant) == x.max())
            }
            // The largest value at every index.
            for place in 0..<67 {
                var x = [Float](repeating: -.greatestFiniteMagnitude, count: 67)
                x[place] = -1
                #expect(Self.maximum(x, variant) == -1)
            }
        }

        @Test(arguments: KernelVariant.allCases) func logSumExpOfAnyCountAndSize(variant: KernelVariant) {
            var random = SplitMix64(seed: 2)
            for count in Array(1...40) + [1501, 51865] {
                for (centre, span) in [(0, 1), (0, 30), (1e4, 10), (-1e4, 100)] as [(Float, Double)] {
                    let x = random.uniform(count: count, centre: centre, span: span)
                    let expected = Reference.logSumExp(x)
                    #expect(abs(Self.logSumExp(x, variant) - expected) < 2e-6 * max(1, abs(expected)) + 2e-6)
                }
            }
        }

        /// Suppressed tokens have no weight, and a row of them alone still gives a finite number.
        @Test(arguments: KernelVariant.allCases) func logSumExpOfSuppressedTokens(variant: KernelVariant) {
            var x = [Float](repeating: -Float.greatestFiniteMagnitude, count: 100)
            x[41] = 2.5
            #expect(Self.logSumExp(x, variant) == 2.5)
            x[41] = -Float.greatestFiniteMagnitude
            #expect(Self.logSumExp(x, variant).isFinite)
        }

        @Test func logSoftmaxSumsToOne() {
            var random = SplitMix64(seed: 3)
            for count in [1, 5, 31, 33, 51865] {
                var x = random.uniform(count: count, centre: 4, span: 8)
                let logits = x
                steno_log_softmax(&x, Int64(count))
                #expect(abs(x.reduce(0) { $0 + exp(Double($1)) } - 1) < 2e-5)
                #expect(abs(Double(logits[0] - x[0]) - Reference.logSumExp(logits)) < 3e-5)
            }
        }
    }

    struct TopTests {
        static func top(_ k: Int, _ x: [Float]) -> [Int32] {
            var indices = [Int32](repeating: -1, count: k)
            steno_top_k(x, Int64(x.count), Int32(k), &indices)
            return indices
        }

        @Test func lowestIndexFirstAmongEquals() {
            #expect(Self.top(3, [1, 1, 1, 1]) == [0, 1, 2])
            #expect(Self.top(4, [0, 2, 1, 2, 1]) == [1, 3, 2, 4])
            #expect(Self.top(1, [0, 5, 5]) == [1])
            #expect(Self.top(2, [-1, -.infinity, -1]) == [0, 2])
            #expect(Self.top(3, [-Float.greatestFiniteMagnitude, -Float.greatestFiniteMagnitude, 0]) == [2, 0, 1])
        }

        /// With few different values, nearly every choice is a tie.
        @Test func equalsAStableSort() {
            var random = SplitMix64(seed: 4)
            for _ in 0..<300 {
                let count = Int.random(in: 1...60, using: &random)
                let x = (0..<count).map { _ in Float(Int.random(in: 0...5, using: &random)) }
                let sorted = x.indices.sorted { x[$0] == x[$1] ? $0 < $1 : x[$0] > x[$1] }
                let k = Int.random(in: 1...count, using: &random)
                #expect(Self.top(k, x) == sorted.prefix(k).map { Int32($0) })
            }
        }

        @Test func aWholeVocabulary() {
            var random = SplitMix64(seed: 5)
            let x = random.uniform(count: 51865, centre: 0, span: 1)
            let sorted = x.indices.sorted { x[$0] == x[$1] ? $0 < $1 : x[$0] > x[$1] }
            #expect(Self.top(10, x) == sorted.prefix(10).map { Int32($0) })
        }

        /// Weights that are not finite must not give indices outside the vocabulary.
        @Test func indicesOfNaNsStayInRange() {
            var random = SplitMix64(seed: 6)
            for _ in 0..<100 {
                let x = (0..<20).map { _ in
                    Bool.random(using: &random) ? Float.nan : Float.random(in: 0...1, using: &random)
                }
                let top = Self.top(8, x)
                #expect(Set(top).count == 8)
                #expect(top.allSatisfy { (0..<20).contains($0) })
            }
        }
    }

    struct WideningTests {
        @Test func everyFloat16() {
            // At an odd address, as tensors in files can be.
            let all = (0...UInt16.max).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
            for start in [0, 1] {
                let bytes = [UInt8](repeating: 0, count: start) + all
                var values = [Float](repeating: 0, count: 65536)
                bytes.withUnsafeBytes { steno_widen_float16($0.baseAddress.map { $0 + start }, 65536, &values) }
                let wrong = (0...UInt16.max).filter {
                    let expected = Reference.float16($0), got = values[Int($0)]
                    return expected.isNaN ? !got.isNaN : got.bitPattern != expected.bitPattern
                }
                #expect(wrong.isEmpty)
            }
        }

        @Test func everyBFloat16() {
            let all: [UInt8] = (0...UInt16.max).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
            let bytes: [UInt8] = [0] + all
            var values = [Float](repeating: 0, count: 65536)
            bytes.withUnsafeBytes { steno_widen_bfloat16($0.baseAddress.map { $0 + 1 }, 65536, &values) }
            #expect((0...UInt16.max).allSatisfy { values[Int($0)].bitPattern == UInt32($0) << 16 })
        }
    }

    struct DispatchTests {
        @Test func theCapOnInstructionSetsApplies() throws {
            #if arch(arm64)
                let order = ["portable", "neon", "neondot", "neoni8mm"]
            #else
                let order = ["portable", "avx2", "avxvnni", "avx512", "avx512vnni", "amx"]
            #endif
            let chosen = try #require(order.firstIndex(of: Processor.instructionSet))
            let cap = ProcessInfo.processInfo.environment["STENO_MAX_ISA"]
            let most = try cap.map { try #require(order.firstIndex(of: $0), "STENO_MAX_ISA names no table: \($0)") }
            // The best table that the processor has and the cap allows, neither more nor less.
            #expect(chosen == order.indices.last { $0 <= most ?? $0 && Self.isSupported(order[$0]) })
        }

        /// The system's own list of the processor's features, which the kernels do not use.
        private static func isSupported(_ table: String) -> Bool {
            #if os(Linux)
                let flags = Set(
                    ((try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? "").split(separator: "\n")
                        .first { $0.hasPrefix("flags") || $0.hasPrefix("Features") }?.split(separator: " ") ?? [])
                let needed: [String: [String]] = [
                    "avx2": ["avx2", "fma", "f16c"], "avxvnni": ["avx2", "fma", "f16c", "avx_vnni"],
                    "avx512": ["avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512vl", "avx512dq"],
                    "avx512vnni": [
                        "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_vnni",
                    ],
                    "amx": ["avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512_vnni", "amx_tile", "amx_int8"],
                    "neondot": ["asimddp"], "neoni8mm": ["asimddp", "i8mm"],
                ]
                return (needed[table] ?? []).allSatisfy { flags.contains(Substring($0)) }
            #else
                // Without such a list, only the order of the tables is known.
                return table == Processor.instructionSet || table == "portable"
            #endif
        }

        @Test func physicalCoresAreAtMostTheProcessors() {
            #expect((1...ProcessInfo.processInfo.activeProcessorCount).contains(Processor.physicalCores))
        }
    }
}
