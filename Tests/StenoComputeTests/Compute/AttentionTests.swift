import CStenoKernels
import CStenoKernelsWide
import Foundation
import StenoTestSupport
import Testing

struct Attention {
    let heads: Int
    let positions: Int
    let rows: Int
    let channels: Int
    let isInt8: Bool
    var queries: [Float]
    var keys: [Float]
    var values: [Float]
    var width: Int { heads * channels }
    var scale: Float { 1 / Float(channels).squareRoot() }

    init(
        heads: Int, channels: Int = 64, positions: Int, rows: Int, gain: Double = 1, seed: UInt64 = 1,
        isInt8: Bool = false
    ) {
        (self.heads, self.channels, self.positions, self.rows) = (heads, channels, positions, rows)
        self.isInt8 = isInt8
        var random = SplitMix64(seed: seed)
        queries = random.uniform(count: rows * heads * channels, centre: 0, span: gain)
        keys = random.uniform(count: positions * heads * channels, centre: 0, span: 2)
        values = random.uniform(count: positions * heads * channels, centre: 0.5, span: 1)
    }

    func score(row: Int, position: Int, head: Int) -> Double {
        let (query, key) = (row * width + head * channels, position * width + head * channels)
        return Reference.dot(queries, from: query, keys, from: key, count: channels) * Double(scale)
    }

    /// The definition: a weighted mean of the values at some positions.
    func expected(row: Int, head: Int, among positions: [Int]) -> [Double] {
        let weights = Reference.softmax(positions.map { score(row: row, position: $0, head: head) })
        return Reference.sum(weights, of: positions, in: values, width: width, from: head * channels, count: channels)
    }

    func attend(_ variant: KernelVariant, pool: OpaquePointer? = nil) -> (out: [Float], scores: [Float]) {
        var out = [Float](repeating: .nan, count: rows * width)
        var scores = [Float](repeating: .nan, count: rows * positions)
        switch variant {
        case .wide:
            wide_attend(
                isInt8, Int32(heads), Int32(channels), scale, Int32(positions), keys, values, Int32(rows), queries,
                &out, &scores)
        case .machine:
            let memory = steno_memory_create(
                Int32(heads), Int32(channels), Int32(positions), isInt8 ? STENO_INT8 : STENO_FLOAT32)
            defer { steno_memory_destroy(memory) }
            steno_memory_set(pool, memory, keys, values, Int64(width), Int32(positions))
            attend(memory, into: &out, pool: pool)
            withCall(memory) { steno_attention_scores(&$0, 0, &scores, Int64(positions)) }
        }
        return (out, scores)
    }

    /// Attention of the queries to a memory that has been set.
    func attend(_ memory: OpaquePointer?, into out: inout [Float], pool: OpaquePointer? = nil) {
        out.withUnsafeMutableBufferPointer { out in
            withCall(memory) { call in
                (call.out, call.out_stride) = (out.baseAddress, Int64(width))
                steno_attend(pool, &call)
            }
        }
    }

    private func withCall(_ memory: OpaquePointer?, _ body: (inout steno_attention) -> Void) {
        queries.withUnsafeBufferPointer { queries in
            var call = steno_attention()
            (call.memory, call.scale, call.rows) = (memory, scale, Int32(rows))
            (call.queries, call.query_stride) = (queries.baseAddress, Int64(width))
            body(&call)
        }
    }

    /// An int8 score: query and key rounded to 127 steps of their peaks, with an exact sum.
    func byteScore(row: Int, position: Int, head: Int) -> Double {
        let q = Reference.quantized(queries[(row * width + head * channels)...].prefix(channels))
        let k = Reference.quantized(keys[(position * width + head * channels)...].prefix(channels))
        return Reference.dot(q, k) * Double(scale)
    }

    /// The int8 output of a row and head, and the kernels' tolerance.
    ///
    /// Powers of two are accurate to 1e-4 and scores to float32 rounding: the blocks' shares may differ by that much,
    /// and a weight that close to half a step may be rounded the other way.
    func inBytes(row: Int, head: Int) -> (out: [Double], tolerance: Double) {
        let scores = (0..<positions).map { byteScore(row: row, position: $0, head: head) }
        let peak = scores.max() ?? 0
        let precision = 1.5e-4 + 6e-7 * (scores.map(abs).max() ?? 0)
        var (sums, total, ties) = ([Double](repeating: 0, count: channels), 0.0, 0.0)
        for first in stride(from: 0, to: positions, by: 128) {
            let block = first..<min(first + 128, positions)
            let most = scores[block].max() ?? 0
            let share = exp(most - peak)
            let exact = scores[block].map { 255 * exp($0 - most) + 0.5 }
            let weights = exact.map { $0.rounded(.down) }
            total += share * weights.reduce(0, +)
            ties += share * Double(exact.count { abs($0 - $0.rounded()) <= 255 * precision })
            for channel in 0..<channels {
                let column = block.map { values[$0 * width + head * channels + channel] }
                let bytes = Reference.quantized(column[...])
                var sum = 0.0
                for index in weights.indices { sum += weights[index] * Double(bytes.values[index]) }
                sums[channel] += share * sum / Double(bytes.scale)
            }
        }
        let largest = Double(values.map(abs).max() ?? 0)
        return (sums.map { $0 / total }, 2 * largest * (ties / total + 2 * precision) + 1e-6)
    }

    /// The largest error of an int8 output relative to its tolerance, over some of the rows.
    func byteError(_ out: [Float]) -> Double { largestError(out) { inBytes(row: $0, head: $1) } }

    /// The largest difference from the definition, over some of the rows.
    func error(_ out: [Float]) -> Double {
        largestError(out) { (expected(row: $0, head: $1, among: Array(0..<positions)), 1) }
    }

    private func largestError(
        _ out: [Float], _ expected: (_ row: Int, _ head: Int) -> (out: [Double], tolerance: Double)
    ) -> Double {
        var worst = 0.0
        for row in Set([0, rows / 2, rows - 1]) {
            for head in 0..<heads {
                let (wanted, tolerance) = expected(row, head)
                let found = out[(row * width + head * channels)...].prefix(channels)
                worst = max(worst, largestDistance(found, wanted) / tolerance)
            }
        }
        return worst
    }
}

extension ComputeTests {
    struct AttentionTests {
        @Test(arguments: KernelVariant.allCases) func equalsTheDefinition(variant: KernelVariant) {
            for rows in [1, 2, 5, 6, 7, 11, 12, 13, 24, 25, 48, 49, 97] {
                let attention = Attention(heads: 2, positions: 37, rows: rows, seed: UInt64(rows))
                #expect(attention.error(attention.attend(variant).out) < 4e-6, "\(rows) rows")
            }
        }

        /// Counts around the sizes of blocks and panels.
        @Test(arguments: KernelVariant.allCases) func everyNumberOfPositions(variant: KernelVariant) {
            for positions in [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 255, 256, 257, 511, 513] {
                let attention = Attention(heads: 1, positions: positions, rows: 3, seed: UInt64(positions))
                #expect(attention.error(attention.attend(variant).out) < 4e-6, "\(positions) positions")
            }
        }

        /// Scores of several hundred: the largest is subtracted first, whichever block it is in.
        @Test(arguments: KernelVariant.allCases) func sharpScoresStayNumbers(variant: KernelVariant) {
            for gain in [30.0, 3000, 1e-6] {
                let attention = Attention(heads: 1, positions: 600, rows: 4, gain: gain)
                #expect(attention.error(attention.attend(variant).out) < 2e-4, "gain \(gain)")
            }
        }

        @Test(arguments: KernelVariant.allCases, [false, true])
        func scoresAreTheProductsOverEight(variant: KernelVariant, isInt8: Bool) {
            for (positions, rows) in [(1, 1), (9, 2), (33, 13), (300, isInt8 ? 50 : 3)] {
                let attention = Attention(heads: 2, positions: positions, rows: rows, isInt8: isInt8)
                let scores = attention.attend(variant).scores
                let score = isInt8 ? attention.byteScore : attention.score
                for row in 0..<rows {
                    for position in 0..<positions {
                        let expected = score(row, position, 0)
                        let difference = abs(Double(scores[row * positions + position]) - expected)
                        #expect(difference < (isInt8 ? 1e-6 + 1e-6 * abs(expected) : 1e-5))
                    }
                }
            }
        }

        /// A window may be shorter than the memory's capacity, and shorter than the previous one.
        @Test(arguments: [false, true]) func memoryIsReused(isInt8: Bool) {
            let memory = steno_memory_create(2, 64, 100, isInt8 ? STENO_INT8 : STENO_FLOAT32)
            defer { steno_memory_destroy(memory) }
            for positions in [100, 33, 7, 64, 1] {
                let attention = Attention(
                    heads: 2, positions: positions, rows: 3, seed: UInt64(positions), isInt8: isInt8)
                var out = [Float](repeating: .nan, count: 3 * 128)
                steno_memory_set(nil, memory, attention.keys, attention.values, 128, Int32(positions))
                attention.attend(memory, into: &out)
                #expect(isInt8 ? attention.byteError(out) < 1 : attention.error(out) < 4e-6)
            }
        }

        /// Head widths of other models: different layouts, including panels that end in the middle.
        @Test(arguments: KernelVariant.allCases, [16, 32, 48, 64, 80, 96, 128, 256])
        func heads(variant: KernelVariant, channels: Int) {
            for (positions, rows) in [(37, 13), (300, 3)] {
                var attention = Attention(heads: 2, channels: channels, positions: positions, rows: rows)
                #expect(attention.error(attention.attend(variant).out) < 4e-6)
                attention = Attention(heads: 2, channels: channels, positions: positions, rows: rows, isInt8: true)
                let (out, scores) = attention.attend(variant)
                #expect(attention.byteError(out) < 1)
                for position in 0..<positions {
                    let exact = attention.byteScore(row: rows - 1, position: position, head: 0)
                    let difference = abs(Double(scores[(rows - 1) * positions + position]) - exact)
                    #expect(difference < 1e-6 + 1e-6 * abs(exact))
                }
            }
        }

        @Test func impossibleMemoriesAreNil() {
            let shapes: [(Int32, Int32, Int32)] = [(0, 64, 10), (1, 0, 10), (1, 24, 10), (1, 272, 10), (1, 64, -1)]
            for (heads, channels, positions) in shapes {
                #expect(steno_memory_create(heads, channels, positions, STENO_FLOAT32) == nil)
            }
            #expect(steno_memory_create(1, 64, 10, STENO_BFLOAT16) == nil)
            // More bytes than 64 bits can count, and than any machine has.
            for format in [STENO_FLOAT32, STENO_INT8] {
                #expect(steno_memory_create(.max, 256, .max - 128, format) == nil)
                #expect(steno_memory_create(1 << 20, 256, 1 << 30, format) == nil)
            }
        }

        @Test(arguments: [false, true]) func resultsDoNotDependOnTheNumberOfThreads(isInt8: Bool) {
            let attention = Attention(heads: 3, positions: 130, rows: 200, isInt8: isInt8)
            expectSameInAnyNumberOfThreads { attention.attend(.machine, pool: $0).out }
        }
    }

    /// Keys, queries, weights and values in int8.
    struct ByteAttentionTests {
        @Test(arguments: KernelVariant.allCases) func int8EqualsTheDefinition(variant: KernelVariant) {
            let positions = [1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 127, 128, 129, 255, 257, 300]
            for (index, positions) in positions.enumerated() {
                let rows = [1, 2, 5, 6, 7, 11, 12, 13, 24, 25, 48, 49, 97][index % 13]
                let gains = [0.1, 3, 100]
                for gain in isLong ? gains : [gains[index % 3]] {
                    let attention = Attention(
                        heads: 2, positions: positions, rows: rows, gain: gain, seed: UInt64(positions), isInt8: true)
                    let error = attention.byteError(attention.attend(variant).out)
                    #expect(error < 1, "\(rows) rows, \(positions) positions, gain \(gain)")
                }
            }
        }

        /// The total rounding error of int8 on such numbers.
        @Test(arguments: KernelVariant.allCases) func int8IsCloseToFloat32(variant: KernelVariant) {
            let attention = Attention(heads: 2, positions: 300, rows: 13, isInt8: true)
            #expect(attention.error(attention.attend(variant).out) < 3e-3)
        }

        /// Equal scores of any magnitude give the mean of the values, whichever is the peak.
        @Test(arguments: KernelVariant.allCases) func equalScoresOfAnySize(variant: KernelVariant) {
            for gain: Float in [0, 1e-6, 1, 1000] {
                var attention = Attention(heads: 1, positions: 600, rows: 4, isInt8: true)
                attention.queries = [Float](repeating: gain, count: 256)
                attention.keys = [Float](repeating: 0.5, count: 600 * 64)
                #expect(attention.error(attention.attend(variant).out) < 6e-3, "gain \(gain)")
            }
        }

        /// Blocks whose weights are all far below another block's keep their precision, since there are many of them.
        ///
        /// Relative to the overall peak, each of these weights would round to 0.
        @Test(arguments: KernelVariant.allCases) func manySmallWeightsCount(variant: KernelVariant) {
            var attention = Attention(heads: 1, positions: 9 * 128 + 1, rows: 1, isInt8: true)
            attention.queries = [Float](repeating: 1, count: 64)
            for position in 0..<attention.positions {
                let isPeak = position == attention.positions - 1
                for channel in 0..<64 {
                    // Scores of ln 1000 and 0.
                    attention.keys[position * 64 + channel] = isPeak ? 0.8635 : 0
                    attention.values[position * 64 + channel] = isPeak ? 1 : -1
                }
            }
            let out = attention.attend(variant).out
            #expect(attention.error(out) < 1e-3)
            #expect(out.allSatisfy { $0 < 0 })
        }

        /// A query or a channel with a value that is not finite gives NaN; other heads are unaffected.
        @Test(arguments: KernelVariant.allCases, [Float.nan, .infinity])
        func nonFiniteValuesGiveNaNs(variant: KernelVariant, value: Float) {
            let attention = Attention(heads: 2, positions: 300, rows: 3, isInt8: true)
            let expected = attention.attend(variant).out
            var other = attention
            other.queries[128 + 70] = value
            var out = other.attend(variant).out
            #expect(out[(128 + 64)..<256].allSatisfy { $0.isNaN })
            #expect(out[..<(128 + 64)] == expected[..<(128 + 64)] && out[256...] == expected[256...])
            other = attention
            other.values[200 * 128 + 5] = value
            out = other.attend(variant).out
            #expect((0..<3 * 128).allSatisfy { $0 % 128 == 5 ? out[$0].isNaN : out[$0] == expected[$0] })
            // Every key of one head.
            other = attention
            for position in 0..<300 { other.keys[position * 128 + 127] = value }
            let (outOfKeys, scores) = other.attend(variant)
            #expect((0..<3 * 128).allSatisfy { $0 % 128 >= 64 ? outOfKeys[$0].isNaN : outOfKeys[$0] == expected[$0] })
            #expect(scores == attention.attend(variant).scores)
        }
    }

    /// Self-attention over the KV cache.
    struct CachedAttentionTests {
        private static func attend(
            _ attention: Attention, slots: [Int32], stride: Int, lengths: [Int32], _ variant: KernelVariant
        ) -> [Float] {
            guard variant == .wide else { return attend(attention, slots: slots, stride: stride, lengths: lengths) }
            var out = [Float](repeating: .nan, count: attention.rows * attention.width)
            wide_attend_cached(
                Int32(attention.heads), Int32(attention.channels), attention.scale, Int32(attention.rows),
                attention.queries, attention.keys, attention.values, slots,
                Int64(stride), lengths, &out)
            return out
        }

        /// The kernels of this machine, with keys and values in float32 or bfloat16; row i has list i or the given one.
        private static func attend(
            _ attention: Attention, slots: [Int32], stride: Int, lengths: [Int32], lists: [Int32]? = nil,
            isHalf: Bool = false
        ) -> [Float] {
            var call = steno_cached_attention()
            (call.rows, call.heads) = (Int32(attention.rows), Int32(attention.heads))
            (call.query_stride, call.out_stride) = (Int64(attention.width), Int64(attention.width))
            (call.head_width, call.scale) = (Int32(attention.channels), attention.scale)
            (call.slot_stride, call.head_stride) = (Int64(attention.width), Int64(attention.channels))
            (call.slots_stride, call.format) = (Int64(stride), isHalf ? STENO_BFLOAT16 : STENO_FLOAT32)
            let rows = lists ?? (0..<lengths.count).map(Int32.init)
            var out = [Float](repeating: .nan, count: attention.rows * attention.width)
            bytes(attention.keys, isHalf: isHalf).withUnsafeBytes { keys in
                bytes(attention.values, isHalf: isHalf).withUnsafeBytes { values in
                    (call.keys, call.values) = (keys.baseAddress, values.baseAddress)
                    attend(&call, attention.queries, slots, lengths, rows, &out)
                }
            }
            return out
        }

        private static func attend(
            _ call: inout steno_cached_attention, _ queries: UnsafePointer<Float>, _ slots: UnsafePointer<Int32>,
            _ lengths: UnsafePointer<Int32>, _ lists: UnsafePointer<Int32>, _ out: UnsafeMutablePointer<Float>
        ) {
            (call.queries, call.slots, call.lengths, call.lists, call.out) = (queries, slots, lengths, lists, out)
            steno_attend_cached(nil, &call)
        }

        private static func bytes(_ values: [Float], isHalf: Bool) -> [UInt8] {
            guard isHalf else { return values.withUnsafeBytes { [UInt8]($0) } }
            var halves = [UInt16](repeating: 0, count: values.count)
            steno_narrow_bfloat16(values, Int64(values.count), &halves)
            return halves.withUnsafeBytes { [UInt8]($0) }
        }

        private static func error(
            _ out: [Float], _ attention: Attention, slots: [Int32], stride: Int, lengths: [Int32]
        ) -> Double {
            var worst = 0.0
            for row in 0..<attention.rows {
                let seen = slots[(row * stride)..<(row * stride + Int(lengths[row]))].map(Int.init)
                for head in 0..<attention.heads {
                    let found = out[(row * attention.width + head * attention.channels)...].prefix(attention.channels)
                    worst = max(worst, largestDistance(found, attention.expected(row: row, head: head, among: seen)))
                }
            }
            return worst
        }

        /// Beams: each row lists its own slots, in any order, shared or not.
        @Test(arguments: KernelVariant.allCases) func eachRowSeesItsOwnSlots(variant: KernelVariant) {
            var random = SplitMix64(seed: 9)
            for lengths in [[1, 2, 3], [16, 1, 17], [40, 40, 39]] as [[Int32]] {
                let attention = Attention(heads: 2, positions: 64, rows: 3, gain: 3)
                let slots = (0..<3 * 50).map { _ in Int32.random(in: 0..<64, using: &random) }
                let out = Self.attend(attention, slots: slots, stride: 50, lengths: lengths, variant)
                #expect(Self.error(out, attention, slots: slots, stride: 50, lengths: lengths) < 4e-6)
            }
        }

        /// A prompt: all rows share one list, and each attends to one more slot than the row before.
        @Test(arguments: KernelVariant.allCases, [16, 32, 48, 64, 80, 96, 128, 256])
        func aPromptSharesOneListInHeadsOfAnyWidth(variant: KernelVariant, channels: Int) {
            let attention = Attention(heads: channels == 64 ? 1 : 2, channels: channels, positions: 30, rows: 30)
            let slots = (0..<30).map(Int32.init), lengths = (1...30).map(Int32.init)
            let out = Self.attend(attention, slots: slots, stride: 0, lengths: lengths, variant)
            #expect(Self.error(out, attention, slots: slots, stride: 0, lengths: lengths) < 4e-6)
        }

        @Test(arguments: KernelVariant.allCases) func theMaximumNumberOfPositions(variant: KernelVariant) {
            let attention = Attention(heads: 1, positions: 512, rows: 2)
            let slots = (0..<512).map(Int32.init) + (0..<512).reversed().map(Int32.init)
            let lengths: [Int32] = [512, 511]
            let out = Self.attend(attention, slots: slots, stride: 512, lengths: lengths, variant)
            #expect(Self.error(out, attention, slots: slots, stride: 512, lengths: lengths) < 4e-6)
        }

        /// Rows of several windows: each refers to its list, in any order and more than once.
        @Test func rowsReferToTheirLists() {
            var random = SplitMix64(seed: 11)
            let attention = Attention(heads: 2, positions: 64, rows: 5, gain: 3)
            let slots = (0..<4 * 20).map { _ in Int32.random(in: 0..<64, using: &random) }
            let (lists, lengths): ([Int32], [Int32]) = ([3, 0, 0, 2, 3], [20, 1, 7, 13, 20])
            let out = Self.attend(attention, slots: slots, stride: 20, lengths: lengths, lists: lists)
            let own = lists.flatMap { slots[(Int($0) * 20)..<(Int($0) * 20 + 20)] }
            #expect(Self.error(out, attention, slots: own, stride: 20, lengths: lengths) < 4e-6)
        }

        /// bfloat16 keys and values give exactly the result of the same values in float32.
        @Test func bfloat16EqualsFloat32OfTheSameValues() {
            var attention = Attention(heads: 2, positions: 90, rows: 9, gain: 3)
            let slots = (0..<90).map(Int32.init), lengths: [Int32] = [1, 2, 15, 16, 17, 63, 64, 65, 90]
            let halves = Self.attend(attention, slots: slots, stride: 0, lengths: lengths, isHalf: true)
            attention.keys = attention.keys.map(\.shortened)
            attention.values = attention.values.map(\.shortened)
            #expect(halves == Self.attend(attention, slots: slots, stride: 0, lengths: lengths))
            #expect(Self.error(halves, attention, slots: slots, stride: 0, lengths: lengths) < 4e-6)
        }
    }
}

extension Float {
    /// The nearest bfloat16, ties to even.
    fileprivate var shortened: Float {
        let step = Float(sign: .plus, exponent: exponent, significand: 1) / 128
        return self == 0 ? 0 : (self / step).rounded(.toNearestOrEven) * step
    }
}
