import Testing

@testable import StenoCompute
@testable import StenoCore

struct FloatBufferTests {
    /// Sizes that overflow, and sizes beyond any machine's memory.
    @Test(arguments: [-1, Int.min, Int.max, Int.max / 4, 1 << 60]) func unavailableMemoryIsAnError(count: Int) {
        for make: (Int) throws -> Void in [
            { _ = try ScratchBuffer(count: $0) }, { _ = try FloatBuffer(count: $0) { _ in } },
        ] {
            expectError(.outOfMemory) { try make(count) }
        }
    }

    @Test(arguments: [(0, 1), (-1, 1), (1, 0), (1 << 31, 64), (64, 1 << 31), (Int.max, Int.max)])
    func impossibleMatricesAreErrors(outputs: Int, inputs: Int) {
        for precision in [Precision.float32, .int8] {
            expectError(.outOfMemory) { try PackedMatrix(outputs: outputs, inputs: inputs, precision: precision) }
        }
    }

    @Test func buffersAreAlignedAndZeroed() throws {
        for count in [0, 1, 17, 1000] {
            let weights = try FloatBuffer(count: count) { _ in }
            #expect(weights.array == [Float](repeating: 0, count: count))
            let scratch = try ScratchBuffer(zeros: count)
            #expect((0..<count).allSatisfy { scratch.pointer[$0] == 0 })
            #expect(UInt(bitPattern: scratch.pointer) % 64 == 0)
            #expect(UInt(bitPattern: weights.pointer) % 64 == 0)
        }
        #expect(try FloatBuffer([1, 2, 3]).array == [1, 2, 3])
    }

    @Test func onlyInfinitiesAndNaNAreNotFinite() {
        let values: [Float] = [0, -0.0, 1, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
        #expect(NumberConversion.areFinite(values, count: values.count))
        for wrong in [Float.infinity, -.infinity, .nan, -.nan, .signalingNaN] {
            for place in values.indices {
                var damaged = values
                damaged[place] = wrong
                #expect(!NumberConversion.areFinite(damaged, count: damaged.count))
            }
        }
        #expect(NumberConversion.areFinite(values, count: 0))
    }

    @Test func thePeakIsTheLargestMagnitude() {
        let values: [Float] = [0.25, -0.0, .leastNonzeroMagnitude, -0.75, 0.5]
        for count in 0...values.count {
            #expect(Reductions.peak(values, count: count) == values[..<count].map(abs).max() ?? 0)
        }
        #expect(Reductions.peak([-.greatestFiniteMagnitude, 1], count: 2) == .greatestFiniteMagnitude)
    }
}
