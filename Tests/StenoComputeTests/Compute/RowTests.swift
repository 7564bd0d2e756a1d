import CStenoKernels
import CStenoKernelsWide
import Foundation
import StenoTestSupport
import Testing

extension ComputeTests {
    struct RotationTests {
        /// Rows of heads, and the angle of every row and pair.
        struct Heads {
            var (rows, heads, width, rotated, padded): (Int, Int, Int, Int, Int)
            var x: [Float]
            var angles: [Double]

            init(rows: Int, heads: Int, width: Int, rotated: Int, padded: Int) {
                (self.rows, self.heads, self.width) = (rows, heads, width)
                (self.rotated, self.padded) = (rotated, padded)
                var random = SplitMix64(seed: UInt64(width))
                x = random.uniform(count: rows * heads * width, centre: 0, span: 2)
                angles = random.uniform(count: rows * rotated / 2, centre: 0, span: 4).map(Double.init)
            }

            /// The kernels' table: cosines, then sines with both signs.
            var table: [Float] {
                (0..<rows).flatMap { row in
                    let own = angles[row * rotated / 2..<(row + 1) * rotated / 2]
                    let cosines: [Float] = own.flatMap { [Float(cos($0)), Float(cos($0))] }
                    let sines: [Float] = own.flatMap { [Float(-sin($0)), Float(sin($0))] }
                    return cosines + sines
                }
            }

            func expected(row: Int, head: Int, channel: Int) -> Double {
                guard channel < width else { return 0 }
                let first = (row * heads + head) * width
                guard channel < rotated else { return Double(x[first + channel]) }
                let angle = angles[row * rotated / 2 + channel / 2]
                let (a, b) = (Double(x[first + channel / 2 * 2]), Double(x[first + channel / 2 * 2 + 1]))
                return channel.isMultiple(of: 2) ? a * cos(angle) - b * sin(angle) : b * cos(angle) + a * sin(angle)
            }

            func rotate(_ variant: KernelVariant, pool: OpaquePointer? = nil) -> [Float] {
                var y = [Float](repeating: .nan, count: rows * heads * padded)
                switch variant {
                case .wide:
                    wide_rotate(
                        x, Int32(rows), Int32(heads), Int32(width), Int32(rotated), table, &y, Int32(padded))
                case .machine:
                    x.withUnsafeBufferPointer { x in
                        table.withUnsafeBufferPointer { table in
                            y.withUnsafeMutableBufferPointer { y in
                                var call = steno_rotation()
                                (call.x, call.x_stride) = (x.baseAddress, Int64(heads * width))
                                (call.rows, call.heads) = (Int32(rows), Int32(heads))
                                (call.head_width, call.rotated) = (Int32(width), Int32(rotated))
                                (call.angles, call.y) = (rotated > 0 ? table.baseAddress : nil, y.baseAddress)
                                (call.y_stride, call.y_head_width) = (Int64(heads * padded), Int32(padded))
                                steno_rotate(pool, &call)
                            }
                        }
                    }
                }
                return y
            }
        }

        @Test(arguments: KernelVariant.allCases) func equalsTheDefinition(variant: KernelVariant) {
            for (width, rotated, padded) in [
                (36, 32, 48), (52, 32, 64), (40, 32, 48), (24, 12, 32), (24, 0, 32), (64, 64, 64), (2, 2, 16),
                (17, 10, 32),
            ] {
                let heads = Heads(rows: 5, heads: 3, width: width, rotated: rotated, padded: padded)
                let y = heads.rotate(variant)
                let expected = (0..<5 * 3 * padded).map {
                    heads.expected(row: $0 / (3 * padded), head: $0 / padded % 3, channel: $0 % padded)
                }
                #expect(largestDistance(y, expected) < 1e-6, "heads of \(width) channels")
            }
        }

        @Test func anyNumberOfThreads() {
            let heads = Heads(rows: 150, heads: 2, width: 36, rotated: 32, padded: 48)
            expectSameInAnyNumberOfThreads { heads.rotate(.machine, pool: $0) }
        }
    }

    struct GateTests {
        @Test(arguments: KernelVariant.allCases) func equalsTheDefinition(variant: KernelVariant) {
            var random = SplitMix64(seed: 1)
            for width in [1, 3, 8, 16, 17, 33, 100] {
                let x = random.uniform(count: 3 * 2 * width, centre: 0, span: 20)
                var y = [Float](repeating: .nan, count: 3 * width)
                switch variant {
                case .wide: wide_gate_silu(x, 3, Int32(width), &y)
                case .machine: steno_gate_silu(nil, x, Int64(2 * width), 3, Int32(width), &y, Int64(width))
                }
                for (index, got) in y.enumerated() {
                    let first = index / width * 2 * width + index % width
                    let (value, gate) = (Double(x[first]), Double(x[first + width]))
                    let expected = value * gate / (1 + exp(-gate))
                    #expect(abs(Double(got) - expected) <= 4e-7 * abs(expected) + 1e-7)
                }
            }
        }

        @Test func inPlaceInAnyNumberOfThreads() {
            var random = SplitMix64(seed: 2)
            let x = random.uniform(count: 150 * 2 * 20, centre: 0, span: 3)
            var expected = [Float](repeating: 0, count: 150 * 20)
            steno_gate_silu(nil, x, 40, 150, 20, &expected, 20)
            let pool = steno_pool_create(3)
            defer { steno_pool_destroy(pool) }
            var y = x
            y.withUnsafeMutableBufferPointer { steno_gate_silu(pool, $0.baseAddress, 40, 150, 20, $0.baseAddress, 40) }
            for row in 0..<150 {
                #expect(y[row * 40..<row * 40 + 20] == expected[row * 20..<row * 20 + 20])
                #expect(y[row * 40 + 20..<row * 40 + 40] == x[row * 40 + 20..<row * 40 + 40])
            }
        }
    }

    struct GroupNormTests {
        private static func norm(
            _ x: [Float], stride: Int, width: Int, gamma: [Float], beta: [Float], _ variant: KernelVariant,
            pool: OpaquePointer? = nil
        ) -> [Float] {
            var y = [Float](repeating: .nan, count: x.count)
            let rows = Int32(x.count / stride)
            switch variant {
            case .wide: wide_group_norm(x, Int64(stride), rows, Int32(width), gamma, beta, 1e-5, &y)
            case .machine:
                steno_group_norm(pool, x, Int64(stride), rows, Int32(width), gamma, beta, 1e-5, &y, Int64(stride))
            }
            return y
        }

        /// Mean and variance of all rows, also where the mean is large.
        @Test(arguments: KernelVariant.allCases) func equalsTheDefinition(variant: KernelVariant) {
            var random = SplitMix64(seed: 1)
            for (rows, width, centre) in [(1, 1, 0), (1, 40, 0), (3, 17, 1), (70, 72, 0), (200, 33, 500)] {
                let stride = width + 3
                let gamma = random.uniform(count: width, centre: 1, span: 0.5)
                let beta = random.uniform(count: width, centre: 0, span: 1)
                let x = random.uniform(count: rows * stride, centre: Float(centre), span: 3)
                let used = (0..<rows).map { x[$0 * stride..<$0 * stride + width].map(Double.init) }
                let count = Double(rows * width)
                let mean = used.joined().reduce(0, +) / count
                let variance = used.joined().reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count
                let y = Self.norm(x, stride: stride, width: width, gamma: gamma, beta: beta, variant)
                for row in 0..<rows {
                    let expected = used[row].indices.map {
                        (used[row][$0] - mean) / (variance + 1e-5).squareRoot() * Double(gamma[$0]) + Double(beta[$0])
                    }
                    let own = y[row * stride..<(row + 1) * stride]
                    #expect(largestDistance(own.prefix(width), expected) < (centre > 100 ? 2e-4 : 1e-5))
                    #expect(own.dropFirst(width).allSatisfy { $0.isNaN })
                }
            }
        }

        @Test func inPlaceInAnyNumberOfThreads() {
            var random = SplitMix64(seed: 3)
            let x = random.uniform(count: 333 * 40, centre: 0, span: 1)
            let gamma = random.uniform(count: 40, centre: 1, span: 1)
            let expected = Self.norm(x, stride: 40, width: 40, gamma: gamma, beta: gamma, .machine)
            expectSameInAnyNumberOfThreads { pool in
                var y = x
                y.withUnsafeMutableBufferPointer {
                    steno_group_norm(pool, $0.baseAddress, 40, 333, 40, gamma, gamma, 1e-5, $0.baseAddress, 40)
                }
                #expect(y == expected)
                return y
            }
        }
    }

    struct TanhTests {
        /// Close to zero the relative error matters: quiet audio gives only such values.
        @Test(arguments: KernelVariant.allCases) func equalsTheDefinition(variant: KernelVariant) throws {
            var x = (-130...130).map { Float($0) / 13 } + (-70...70).map { powf(10, Float($0) / 2) }
            x += x.map { -$0 } + [0, .infinity, -.infinity, .nan]
            var y = [Float](repeating: 7, count: x.count)
            if variant == .wide {
                wide_tanh(x, Int32(x.count), &y)
            } else {
                let matrix = try #require(steno_matrix_create(Int32(x.count), 1, STENO_FLOAT32))
                defer { steno_matrix_destroy(matrix) }
                x.withUnsafeBufferPointer { bias in
                    [Float(1)].withUnsafeBufferPointer { one in
                        y.withUnsafeMutableBufferPointer { y in
                            KernelVariant.multiply(matrix, rows: 1) { call in
                                (call.x, call.x_stride) = (one.baseAddress, 1)
                                (call.bias, call.activation) = (bias.baseAddress, STENO_TANH)
                                (call.y, call.y_stride) = (y.baseAddress, Int64(bias.count))
                            }
                        }
                    }
                }
            }
            #expect(y[y.count - 1].isNaN)
            for (x, got) in zip(x, y).dropLast() {
                let expected = tanh(Double(x))
                // Subnormal numbers have fewer digits.
                #expect(abs(Double(got) - expected) <= 3e-7 * abs(expected) + 1e-44, "\(x)")
            }
        }
    }
}
