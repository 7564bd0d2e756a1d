import CStenoKernels
import CStenoKernelsWide
import Foundation
import StenoTestSupport
import Testing

/// Queries over positions with encodings of their distances.
private struct RelativeQuestion {
    let heads: Int
    let channels: Int
    let positions: Int
    let rows: Int
    let firstQuery: Int
    let firstDistance: Int
    let distances: Int
    var queries: [Float]
    var keys: [Float]
    var values: [Float]
    var encodings: [Float]
    var content: [Float]
    var position: [Float]
    /// Each query's positions.
    var ranges: [Range<Int>]
    var width: Int { heads * channels }
    var scale: Float { 1 / Float(channels).squareRoot() }

    /// All distances between the queries and all positions, and some more.
    init(heads: Int, channels: Int, positions: Int, rows: Int, firstQuery: Int, gain: Double = 1, seed: UInt64 = 1) {
        var random = SplitMix64(seed: seed)
        (self.heads, self.channels, self.positions, self.rows) = (heads, channels, positions, rows)
        self.firstQuery = firstQuery
        firstDistance = -(firstQuery + rows - 1) - 5
        distances = positions - firstQuery - firstDistance + 3
        let width = heads * channels
        queries = random.uniform(count: rows * width, centre: 0, span: gain)
        keys = random.uniform(count: positions * width, centre: 0, span: 2)
        values = random.uniform(count: positions * width, centre: 0.5, span: 1)
        encodings = random.uniform(count: distances * width, centre: 0, span: 2)
        content = random.uniform(count: width, centre: 0, span: 1)
        position = random.uniform(count: width, centre: 0, span: 1)
        ranges = (0..<rows).map { _ in 0..<positions }
    }

    /// The definition.
    func expected(row: Int, head: Int) -> [Double] {
        let at = head * channels
        let scores = ranges[row].map { key in
            let distance = (key - (firstQuery + row) - firstDistance) * width + at
            func dot(_ a: [Float], _ first: Int, _ b: [Float], _ second: Int) -> Double {
                Reference.dot(a, from: first, b, from: second, count: channels)
            }
            let query = row * width + at
            let ofContent = dot(queries, query, keys, key * width + at) + dot(content, at, keys, key * width + at)
            return (ofContent + dot(queries, query, encodings, distance) + dot(position, at, encodings, distance))
                * Double(scale)
        }
        let weights = Reference.softmax(scores)
        return Reference.sum(weights, of: ranges[row], in: values, width: width, from: at, count: channels)
    }

    var expected: [Double] {
        (0..<rows).flatMap { row in (0..<heads).flatMap { expected(row: row, head: $0) } }
    }

    func attend(_ variant: KernelVariant, pool: OpaquePointer? = nil) -> [Float] {
        var out = [Float](repeating: .nan, count: rows * width)
        let first = ranges.map { Int32($0.lowerBound) }, end = ranges.map { Int32($0.upperBound) }
        let all = ranges.allSatisfy { $0 == 0..<positions }
        guard variant == .machine else {
            var shape = wide_relative()
            (shape.heads, shape.head_width, shape.positions) = (Int32(heads), Int32(channels), Int32(positions))
            (shape.rows, shape.distances, shape.scale) = (Int32(rows), Int32(distances), scale)
            (shape.first_distance, shape.first_query) = (Int32(firstDistance), Int32(firstQuery))
            wide_attend_relative(
                &shape, queries, keys, values, encodings, content, position, all ? nil : first, all ? nil : end, &out)
            return out
        }
        let memory = steno_memory_create(Int32(heads), Int32(channels), Int32(positions), STENO_FLOAT32)
        let matrix = steno_matrix_create(Int32(distances), Int32(width), STENO_FLOAT32)
        defer {
            steno_memory_destroy(memory)
            steno_matrix_destroy(matrix)
        }
        steno_memory_set(pool, memory, keys, values, Int64(width), Int32(positions))
        steno_matrix_set_float(matrix, 0, Int32(distances), encodings)
        var call = steno_relative_attention()
        (call.memory, call.encodings, call.scale) = (memory, matrix, scale)
        (call.first_distance, call.first_query, call.rows) = (Int32(firstDistance), Int32(firstQuery), Int32(rows))
        (call.query_stride, call.out_stride) = (Int64(width), Int64(width))
        let inputs = [queries, content, position]
        Self.withPointers(inputs) { pointers in
            first.withUnsafeBufferPointer { first in
                end.withUnsafeBufferPointer { end in
                    out.withUnsafeMutableBufferPointer { out in
                        (call.queries, call.content_bias, call.position_bias) = (pointers[0], pointers[1], pointers[2])
                        (call.first, call.end) = all ? (nil, nil) : (first.baseAddress, end.baseAddress)
                        call.out = out.baseAddress
                        steno_attend_relative(pool, &call)
                    }
                }
            }
        }
        return out
    }

    private static func withPointers(_ arrays: [[Float]], _ body: ([UnsafePointer<Float>?]) -> Void) {
        func open(_ rest: ArraySlice<[Float]>, _ pointers: [UnsafePointer<Float>?]) {
            guard let next = rest.first else { return body(pointers) }
            next.withUnsafeBufferPointer { open(rest.dropFirst(), pointers + [$0.baseAddress]) }
        }
        open(arrays[...], [])
    }
}

extension ComputeTests {
    struct RelativeAttentionTests {
        /// One position, whole and partial tiles, several blocks of positions and queries, both copies of the loops.
        @Test(
            arguments: [
                (1, 64, 1, 1), (2, 64, 5, 5), (1, 16, 33, 33), (2, 128, 70, 25), (1, 64, 300, 100), (3, 32, 513, 7),
                (1, 80, 260, 130), (1, 256, 40, 40),
            ], KernelVariant.allCases)
        func equalsTheDefinition(sizes: (heads: Int, channels: Int, positions: Int, rows: Int), variant: KernelVariant)
        {
            let question = RelativeQuestion(
                heads: sizes.heads, channels: sizes.channels, positions: sizes.positions, rows: sizes.rows,
                firstQuery: sizes.positions - sizes.rows)
            #expect(largestDistance(question.attend(variant), question.expected) < 2e-5)
        }

        @Test(arguments: KernelVariant.allCases) func aRangeForEachQuery(variant: KernelVariant) {
            var random = SplitMix64(seed: 2)
            for (positions, rows) in [(40, 40), (84, 14), (600, 60), (320, 3)] {
                var question = RelativeQuestion(
                    heads: 2, channels: 64, positions: positions, rows: rows, firstQuery: positions - rows, gain: 3)
                question.ranges = (0..<rows).map { _ in
                    let first = Int.random(in: 0..<positions, using: &random)
                    return first..<Int.random(in: first + 1...positions, using: &random)
                }
                #expect(largestDistance(question.attend(variant), question.expected) < 3e-5)
            }
        }

        /// Only distances in the ranges are there: those of chunks of 7 and two chunks before.
        @Test(arguments: KernelVariant.allCases) func distancesOutsideTheRangesMayBeMissing(variant: KernelVariant) {
            let whole = RelativeQuestion(heads: 1, channels: 64, positions: 98, rows: 84, firstQuery: 14)
            var question = RelativeQuestion(heads: 1, channels: 64, positions: 9, rows: 16, firstQuery: 4)
            // −20 … 6: first_distance −24 and 33 distances have a little more.
            #expect(question.firstDistance <= -20 && question.firstDistance + question.distances > 6)
            question = RelativeQuestion(question, with: whole)
            question.ranges = (0..<84).map { row in
                let chunk = (14 + row) / 7 * 7
                return chunk - 14..<chunk + 7
            }
            #expect(largestDistance(question.attend(variant), question.expected) < 2e-5)
        }

        /// Bit for bit: a stream's results do not depend on how many of its queries are computed at once.
        @Test(arguments: KernelVariant.allCases) func queriesAreIndependent(variant: KernelVariant) {
            let (left, chunk, count) = (70, 14, 8)
            var whole = RelativeQuestion(
                heads: 2, channels: 64, positions: chunk * count, rows: chunk * count, firstQuery: 0)
            whole.ranges = (0..<chunk * count).map { row in
                let start = row / chunk * chunk
                return max(start - left, 0)..<start + chunk
            }
            let together = whole.attend(variant)
            for first in stride(from: 0, to: chunk * count, by: chunk) {
                let origin = max(first - left, 0)
                let part = whole.part(rows: first..<first + chunk, positions: origin..<first + chunk)
                #expect(part.attend(variant) == Array(together[first * 128..<(first + chunk) * 128]))
            }
        }

        @Test func inAnyNumberOfThreads() {
            let question = RelativeQuestion(heads: 3, channels: 64, positions: 250, rows: 250, firstQuery: 0)
            expectSameInAnyNumberOfThreads { question.attend(.machine, pool: $0) }
        }
    }
}

extension RelativeQuestion {
    /// The distances of one question with the queries and positions of another.
    fileprivate init(_ distances: RelativeQuestion, with other: RelativeQuestion) {
        (heads, channels, positions, rows) = (other.heads, other.channels, other.positions, other.rows)
        firstQuery = other.firstQuery
        (firstDistance, self.distances) = (distances.firstDistance, distances.distances)
        (queries, keys, values) = (other.queries, other.keys, other.values)
        encodings = distances.encodings
        (content, position, ranges) = (other.content, other.position, other.ranges)
    }

    /// Some queries over some positions.
    fileprivate func part(rows: Range<Int>, positions: Range<Int>) -> RelativeQuestion {
        RelativeQuestion(self, rows: rows, positions: positions)
    }

    private init(_ whole: RelativeQuestion, rows: Range<Int>, positions: Range<Int>) {
        let width = whole.width
        func cut(_ values: [Float], _ range: Range<Int>) -> [Float] {
            Array(values[range.lowerBound * width..<range.upperBound * width])
        }
        (heads, channels, self.positions, self.rows) = (whole.heads, whole.channels, positions.count, rows.count)
        firstQuery = whole.firstQuery + rows.lowerBound - positions.lowerBound
        (firstDistance, distances, encodings) = (whole.firstDistance, whole.distances, whole.encodings)
        queries = cut(whole.queries, rows)
        (keys, values) = (cut(whole.keys, positions), cut(whole.values, positions))
        (content, position) = (whole.content, whole.position)
        ranges = whole.ranges[rows].map { $0.lowerBound - positions.lowerBound..<$0.upperBound - positions.lowerBound }
    }
}
