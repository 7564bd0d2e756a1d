import CStenoKernels
import CStenoKernelsWide
import Foundation
import StenoTestSupport
import Testing

extension ComputeTests {
    struct ConvolutionTests {
        private static func silu(_ x: Double) -> Double { x / (1 + exp(-x)) }

        private static func depthwise(
            _ x: [Float], rows: Int, channels: Int, weights: [Float], bias: [Float], silu: Bool,
            _ variant: KernelVariant,
            pool: OpaquePointer? = nil
        ) -> [Float] {
            let taps = weights.count / channels
            var y = [Float](repeating: .nan, count: rows * channels)
            guard variant == .machine else {
                wide_depthwise(Int32(rows), Int32(channels), Int32(taps), x, weights, bias, silu, &y)
                return y
            }
            y.withUnsafeMutableBufferPointer { y in
                x.withUnsafeBufferPointer { x in
                    weights.withUnsafeBufferPointer { weights in
                        bias.withUnsafeBufferPointer { bias in
                            var call = steno_depthwise()
                            (call.x, call.x_stride, call.rows) = (x.baseAddress, Int64(channels), Int32(rows))
                            (call.channels, call.taps) = (Int32(channels), Int32(taps))
                            (call.weights, call.bias) = (weights.baseAddress, bias.baseAddress)
                            call.activation = silu ? STENO_SILU : STENO_IDENTITY
                            (call.y, call.y_stride) = (y.baseAddress, Int64(channels))
                            steno_convolve_depthwise(pool, &call)
                        }
                    }
                }
            }
            return y
        }

        @Test(arguments: KernelVariant.allCases, [false, true]) func depthwiseEqualsTheDefinition(
            variant: KernelVariant, silu: Bool
        ) {
            var random = SplitMix64(seed: 1)
            for (rows, channels, taps) in [(1, 1, 1), (3, 5, 2), (17, 16, 9), (40, 33, 9), (2, 100, 31), (0, 8, 3)] {
                let weights = random.uniform(count: taps * channels, centre: 0, span: 1)
                let bias = random.uniform(count: channels, centre: 0, span: 1)
                let x = random.uniform(count: (rows + taps - 1) * channels, centre: 0.2, span: 2)
                let y = Self.depthwise(
                    x, rows: rows, channels: channels, weights: weights, bias: bias, silu: silu, variant)
                let expected = (0..<rows * channels).map { index in
                    let (row, channel) = (index / channels, index % channels)
                    let sum = (0..<taps).reduce(Double(bias[channel])) {
                        $0 + Double(x[(row + $1) * channels + channel]) * Double(weights[$1 * channels + channel])
                    }
                    return silu ? Self.silu(sum) : sum
                }
                #expect(largestDistance(y, expected) < 1e-5, "\(rows) rows of \(channels)")
            }
        }

        @Test(arguments: KernelVariant.allCases, [1, 2]) func imagesEqualTheDefinition(
            variant: KernelVariant, padding: Int
        ) {
            var random = SplitMix64(seed: 2)
            for (rows, bands, channels) in [(1, 1, 1), (2, 2, 3), (19, 5, 16), (3, 8, 33), (1, 65, 20), (0, 4, 4)] {
                let weights = random.uniform(count: 9 * channels, centre: 0, span: 1)
                let bias = random.uniform(count: channels, centre: 0, span: 1)
                let x = random.uniform(count: (2 * rows + 1) * bands * channels, centre: 0.2, span: 2)
                let outBands = (bands + padding) / 2
                var y = [Float](repeating: .nan, count: rows * outBands * channels)
                Self.image(x, rows, bands, channels, padding, weights, bias, &y, variant)
                let expected = (0..<rows * outBands * channels).map { index in
                    let (row, band, channel) = (
                        index / channels / outBands, index / channels % outBands, index % channels
                    )
                    var sum = Double(bias[channel])
                    for (time, offset) in (0..<9).map({ ($0 / 3, $0 % 3) }) {
                        let source = 2 * band + offset - padding
                        guard (0..<bands).contains(source) else { continue }
                        sum +=
                            Double(x[((2 * row + time) * bands + source) * channels + channel])
                            * Double(weights[(3 * time + offset) * channels + channel])
                    }
                    return sum
                }
                #expect(largestDistance(y, expected) < 1e-5, "\(rows) rows of \(bands) bands")
            }
        }

        private static func image(
            _ x: [Float], _ rows: Int, _ bands: Int, _ channels: Int, _ padding: Int, _ weights: [Float],
            _ bias: [Float], _ y: inout [Float], _ variant: KernelVariant
        ) {
            let (rows, bands, channels, padding) = (Int32(rows), Int32(bands), Int32(channels), Int32(padding))
            guard variant == .machine else {
                return wide_depthwise_image(rows, bands, channels, padding, x, weights, bias, &y)
            }
            y.withUnsafeMutableBufferPointer { y in
                x.withUnsafeBufferPointer { x in
                    weights.withUnsafeBufferPointer { weights in
                        bias.withUnsafeBufferPointer { bias in
                            var call = steno_depthwise_image()
                            (call.x, call.rows, call.bands, call.channels) = (x.baseAddress, rows, bands, channels)
                            (call.padding, call.weights, call.bias) = (padding, weights.baseAddress, bias.baseAddress)
                            call.y = y.baseAddress
                            steno_convolve_image(nil, &call)
                        }
                    }
                }
            }
        }

        @Test(arguments: KernelVariant.allCases) func gatesEqualTheDefinition(variant: KernelVariant) {
            var random = SplitMix64(seed: 3)
            for (rows, width) in [(1, 1), (2, 15), (33, 16), (3, 100)] {
                let x = random.uniform(count: rows * 2 * width, centre: 0, span: 20)
                var y = [Float](repeating: .nan, count: rows * width)
                if variant == .wide {
                    wide_gate(x, Int32(rows), Int32(width), &y)
                } else {
                    steno_gate(nil, x, Int64(2 * width), Int32(rows), Int32(width), &y, Int64(width))
                }
                let expected = (0..<rows * width).map { index in
                    let at = index / width * 2 * width + index % width
                    return Double(x[at]) / (1 + exp(-Double(x[at + width])))
                }
                #expect(largestDistance(y, expected) < 4e-6)
            }
        }

        @Test(arguments: KernelVariant.allCases) func siluEqualsTheDefinition(variant: KernelVariant) {
            var random = SplitMix64(seed: 4)
            for (rows, width) in [(1, 1), (2, 15), (33, 16), (3, 100)] {
                let x = random.uniform(count: rows * width, centre: 0, span: 20)
                var y = x
                if variant == .wide {
                    wide_silu(&y, Int32(rows), Int32(width))
                } else {
                    steno_silu(nil, &y, Int64(width), Int32(rows), Int32(width))
                }
                #expect(largestDistance(y, x.map { Self.silu(Double($0)) }) < 4e-6)
            }
        }

        @Test func inAnyNumberOfThreads() {
            var random = SplitMix64(seed: 5)
            let x = random.uniform(count: 108 * 24, centre: 0, span: 1)
            let weights = random.uniform(count: 9 * 24, centre: 0, span: 1)
            let bias = [Float](repeating: 0, count: 24)
            expectSameInAnyNumberOfThreads {
                Self.depthwise(x, rows: 100, channels: 24, weights: weights, bias: bias, silu: true, .machine, pool: $0)
            }
        }
    }
}
