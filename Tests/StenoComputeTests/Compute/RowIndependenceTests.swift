import CStenoKernels
import CStenoKernelsWide
import StenoTestSupport
import Testing

extension ComputeTests {
    /// A row's result is bit-identical whatever the other rows are, so windows can be decoded as batches.
    struct RowIndependenceTests {
        /// Counts around the tile sizes of every instruction set, and the blocks of rows that threads get.
        private static let rowCounts = [2, 3, 5, 6, 7, 11, 12, 13, 40, 97, 100]

        @Test(arguments: KernelVariant.allCases, [false, true]) func products(variant: KernelVariant, isInt8: Bool) {
            for rows in Self.rowCounts {
                var product = Product(outputs: 51, inputs: 130, rows: rows, isInt8: isInt8)
                var random = SplitMix64(seed: 4)
                product.bias = random.uniform(count: 51, centre: 0, span: 1)
                product.residual = random.uniform(count: rows * 51, centre: 0, span: 1)
                product.gelu = true
                let together = variant.multiply(product)
                for row in [0, 1, rows / 2, rows - 1] {
                    var alone = product
                    alone.rows = 1
                    alone.x = Array(product.x[(row * 130)..<(row * 130 + 130)])
                    alone.residual = product.residual.map { Array($0[(row * 51)..<(row * 51 + 51)]) }
                    #expect(bits(variant.multiply(alone)) == bits(together[(row * 51)..<(row * 51 + 51)]))
                }
            }
        }

        @Test(arguments: KernelVariant.allCases, [false, true]) func attention(variant: KernelVariant, isInt8: Bool) {
            for rows in Self.rowCounts {
                let attention = Attention(heads: 2, positions: 300, rows: rows, isInt8: isInt8)
                let together = attention.attend(variant).out
                for row in [0, rows / 2, rows - 1] {
                    let range = (row * 128)..<(row * 128 + 128)
                    var alone = Attention(heads: 2, positions: 300, rows: 1, isInt8: isInt8)
                    (alone.keys, alone.values) = (attention.keys, attention.values)
                    alone.queries = Array(attention.queries[range])
                    #expect(bits(alone.attend(variant).out) == bits(together[range]))
                }
            }
        }

        /// Several windows in one parallel region: each result is bit-identical to the window's own, with any number of
        /// threads.
        @Test(arguments: [1, 2, 3], [false, true]) func windows(threads: Int, isInt8: Bool) {
            let pool = steno_pool_create(Int32(threads))
            defer { steno_pool_destroy(pool) }
            let format = isInt8 ? STENO_INT8 : STENO_FLOAT32
            let windows = [(300, 5), (129, 1), (40, 13)].enumerated().map { number, size in
                Attention(heads: 2, positions: size.0, rows: size.1, seed: UInt64(number), isInt8: isInt8)
            }
            let memories = windows.map { window in
                let memory = steno_memory_create(2, 64, Int32(window.positions), format)
                steno_memory_set(pool, memory, window.keys, window.values, 128, Int32(window.positions))
                return memory
            }
            defer { memories.forEach { steno_memory_destroy($0) } }
            let queries = windows.flatMap(\.queries)
            var out = [Float](repeating: .nan, count: queries.count)
            queries.withUnsafeBufferPointer { queries in
                out.withUnsafeMutableBufferPointer { out in
                    var row = 0
                    let requests = zip(windows, memories).map { window, memory in
                        var request = steno_attention()
                        request.memory = memory
                        request.scale = 1.0 / 8
                        request.queries = queries.baseAddress.map { $0 + row * 128 }
                        request.query_stride = 128
                        request.rows = Int32(window.rows)
                        request.out = out.baseAddress.map { $0 + row * 128 }
                        request.out_stride = 128
                        row += window.rows
                        return request
                    }
                    steno_attend_all(pool, requests, Int32(requests.count))
                }
            }
            #expect(bits(out[...]) == bits(windows.flatMap { $0.attend(.machine).out }[...]))
        }

        @Test func norms() {
            var random = SplitMix64(seed: 6)
            let x = random.uniform(count: 100 * 70, centre: 0.3, span: 2)
            let (gamma, beta) = (
                random.uniform(count: 70, centre: 1, span: 1), random.uniform(count: 70, centre: 0, span: 1)
            )
            func norm(_ x: ArraySlice<Float>) -> [Float] {
                var y = [Float](repeating: .nan, count: x.count)
                Array(x).withUnsafeBufferPointer { x in
                    steno_layer_norm(nil, x.baseAddress, 70, Int32(x.count / 70), 70, gamma, beta, 1e-5, &y, 70)
                }
                return y
            }
            let together = norm(x[...])
            for row in [0, 1, 63, 64, 99] {
                #expect(bits(norm(x[(row * 70)..<(row * 70 + 70)])) == bits(together[(row * 70)..<(row * 70 + 70)]))
            }
        }

        private func bits(_ values: some Sequence<Float>) -> [UInt32] { values.map(\.bitPattern) }
    }
}

extension ComputeTests {
    struct ChannelTests {
        static let widths = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 60, 64, 80, 100, 128]

        @Test(arguments: KernelVariant.allCases, [0, 0.01, 1] as [Float])
        func scaleEqualsTheDefinition(variant: KernelVariant, slope: Float) {
            var random = SplitMix64(seed: 1)
            for width in Self.widths {
                let stride = width + 3
                let scale = random.uniform(count: width, centre: 0, span: 2)
                let shift = random.uniform(count: width, centre: 0, span: 1)
                let x = random.uniform(count: 5 * stride, centre: 0, span: 3)
                var y = [Float](repeating: .nan, count: x.count)
                let (from, columns) = (Int64(stride), Int32(width))
                switch variant {
                case .machine: steno_scale_channels(nil, x, from, 5, columns, scale, shift, slope, &y, from)
                case .wide: wide_scale_channels(x, from, 5, columns, scale, shift, slope, &y)
                }
                for row in 0..<5 {
                    let expected = (0..<width).map { channel in
                        let v = Double(x[row * stride + channel]) * Double(scale[channel]) + Double(shift[channel])
                        return v > 0 ? v : v * Double(slope)
                    }
                    let found = y[row * stride..<(row + 1) * stride]
                    #expect(largestDistance(found.prefix(width), expected) < 2e-6, "width \(width)")
                    #expect(found.dropFirst(width).allSatisfy { $0.isNaN })
                }
            }
        }

        @Test(arguments: KernelVariant.allCases, [false, true])
        func poolEqualsTheDefinition(variant: KernelVariant, magnitudes: Bool) {
            var random = SplitMix64(seed: 2)
            for width in Self.widths {
                for step in [1, 2, 3, 7] {
                    let stride = width + 2
                    let x = random.uniform(count: 4 * step * stride, centre: 0, span: 1)
                    var y = [Float](repeating: .nan, count: 4 * stride)
                    let (from, columns) = (Int64(stride), Int32(width))
                    switch variant {
                    case .machine: steno_max_pool(nil, x, from, 4, columns, Int32(step), magnitudes, &y, from)
                    case .wide: wide_max_pool(x, from, 4, columns, Int32(step), magnitudes, &y)
                    }
                    for index in y.indices {
                        let (row, channel) = index.quotientAndRemainder(dividingBy: stride)
                        guard channel < width else {
                            #expect(y[index].isNaN)
                            continue
                        }
                        let values = (row * step..<(row + 1) * step).map { x[$0 * stride + channel] }
                        #expect(y[index] == values.map { magnitudes ? abs($0) : $0 }.max(), "width \(width)")
                    }
                }
            }
        }

        /// Many rows of numbers far from zero, which a single running sum would round away.
        @Test(arguments: KernelVariant.allCases) func sumsEqualTheDefinition(variant: KernelVariant) {
            var random = SplitMix64(seed: 3)
            for (width, rows) in Self.widths.map({ ($0, 37) }) + [(80, 5325), (3, 5325)] {
                let stride = width + 1
                let x = random.uniform(count: rows * stride, centre: 2, span: 1)
                let centre = random.uniform(count: width, centre: 2, span: 0.1)
                var sums = [Float](repeating: .nan, count: width), squares = sums
                let (from, count, columns) = (Int64(stride), Int32(rows), Int32(width))
                switch variant {
                case .machine:
                    steno_channel_sums(x, from, count, columns, &sums)
                    steno_channel_squares(x, from, count, columns, centre, &squares)
                case .wide:
                    wide_channel_sums(x, from, count, columns, &sums)
                    wide_channel_squares(x, from, count, columns, centre, &squares)
                }
                for channel in 0..<width {
                    let values = (0..<rows).map { Double(x[$0 * stride + channel]) }
                    let sum = values.reduce(0, +)
                    let distances = values.map { $0 - Double(centre[channel]) }
                    let square = distances.reduce(0) { $0 + $1 * $1 }
                    #expect(abs(Double(sums[channel]) - sum) <= 1e-6 * sum)
                    #expect(abs(Double(squares[channel]) - square) <= 2e-6 * square)
                }
            }
        }

        @Test func noRowsSumToZero() {
            var sums: [Float] = [7, 7, 7]
            steno_channel_sums([1, 2, 3], 3, 0, 3, &sums)
            #expect(sums == [0, 0, 0])
        }

        @Test func inPlaceAndInAnyNumberOfThreads() {
            var random = SplitMix64(seed: 4)
            let x = random.uniform(count: 3000 * 40, centre: 0, span: 1)
            let scale = random.uniform(count: 40, centre: 1, span: 1)
            var expected = x, pooled = [Float](repeating: .nan, count: 1000 * 40)
            steno_scale_channels(nil, x, 40, 3000, 40, scale, scale, 0, &expected, 40)
            steno_max_pool(nil, x, 40, 1000, 40, 3, true, &pooled, 40)
            expectSameInAnyNumberOfThreads { pool in
                var y = x, most = [Float](repeating: .nan, count: 1000 * 40)
                y.withUnsafeMutableBufferPointer {
                    steno_scale_channels(pool, $0.baseAddress, 40, 3000, 40, scale, scale, 0, $0.baseAddress, 40)
                }
                steno_max_pool(pool, x, 40, 1000, 40, 3, true, &most, 40)
                #expect(y == expected && most == pooled)
                return y + most
            }
        }
    }
}
