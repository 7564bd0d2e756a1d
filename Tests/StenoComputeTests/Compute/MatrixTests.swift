import CStenoKernels
import StenoTestSupport
import Testing

extension ComputeTests {
    struct MatrixTests {
        static func rows(of matrix: OpaquePointer?, count: Int, inputs: Int) -> [Float] {
            (0..<count).flatMap { row in
                var values = [Float](repeating: .nan, count: inputs)
                steno_matrix_get_row(matrix, Int32(row), &values)
                return values
            }
        }

        /// Sizes that overflow or exceed any machine's memory, and invalid shapes.
        @Test func impossibleMatricesAreNil() {
            for format in [STENO_FLOAT32, STENO_INT8] {
                #expect(steno_matrix_create(.max, .max, format) == nil)
                #expect(steno_matrix_create(.max - 64, .max - 64, format) == nil)
                #expect(steno_matrix_create(1 << 30, 1 << 30, format) == nil)
                #expect(steno_matrix_create(0, 5, format) == nil)
                #expect(steno_matrix_create(5, -1, format) == nil)
            }
            #expect(steno_matrix_create(5, 5, STENO_BFLOAT16) == nil)
        }

        @Test func float32RowsAreStoredUnchanged() {
            for (outputs, inputs) in [(1, 1), (17, 5), (40, 64)] {
                var random = SplitMix64(seed: 1)
                let values = random.uniform(count: outputs * inputs, centre: 0, span: 1)
                let matrix = steno_matrix_create(Int32(outputs), Int32(inputs), STENO_FLOAT32)
                defer { steno_matrix_destroy(matrix) }
                steno_matrix_set_float(matrix, 0, Int32(outputs), values)
                #expect(Self.rows(of: matrix, count: outputs, inputs: inputs) == values)
            }
        }

        @Test func int8RowsAreDividedByTheirScale() {
            for (outputs, inputs) in [(1, 1), (17, 5), (40, 63)] {
                var random = SplitMix64(seed: 2)
                let bytes = (0..<outputs * inputs).map { _ in Int8.random(in: -127...127, using: &random) }
                let scales = random.uniform(count: outputs, centre: 100, span: 90)
                let expected = bytes.enumerated().map { Float($1) * (1 / scales[$0 / inputs]) }
                for precision in [STENO_INT8, STENO_FLOAT32] {
                    let matrix = steno_matrix_create(Int32(outputs), Int32(inputs), precision)
                    defer { steno_matrix_destroy(matrix) }
                    steno_matrix_set_int8(matrix, 0, Int32(outputs), bytes, scales)
                    let error =
                        zip(Self.rows(of: matrix, count: outputs, inputs: inputs), expected)
                        .map { abs($0 - $1) - abs($1) * 2e-7 }.max() ?? 0
                    #expect(error <= 0)
                }
            }
        }

        /// A fused matrix is filled in several calls, each starting at a multiple of the panel.
        @Test func partsMakeTheWhole() {
            let small = steno_matrix_create(1, 1, STENO_FLOAT32)
            defer { steno_matrix_destroy(small) }
            let panel = small.map { Int(steno_matrix_panel($0)) } ?? 1
            let outputs = 3 * panel + 1, inputs = 6
            var random = SplitMix64(seed: 3)
            let values = random.uniform(count: outputs * inputs, centre: 0, span: 1)
            for precision in [STENO_INT8, STENO_FLOAT32] {
                let whole = steno_matrix_create(Int32(outputs), Int32(inputs), precision)
                let parts = steno_matrix_create(Int32(outputs), Int32(inputs), precision)
                defer {
                    steno_matrix_destroy(whole)
                    steno_matrix_destroy(parts)
                }
                steno_matrix_set_float(whole, 0, Int32(outputs), values)
                for (first, count) in [(2 * panel, panel + 1), (0, panel), (panel, panel)] {
                    steno_matrix_set_float(parts, Int32(first), Int32(count), Array(values[(first * inputs)...]))
                }
                #expect(
                    Self.rows(of: whole, count: outputs, inputs: inputs)
                        == Self.rows(of: parts, count: outputs, inputs: inputs))
            }
        }

        /// Rows with a NaN or an infinity are counted, and results computed from them are NaN.
        @Test(arguments: [Float.nan, -.nan, .infinity, -.infinity]) func rowsThatAreNotFiniteAreCounted(value: Float) {
            for inputs in [1, 3, 16, 67] {
                for place in [0, inputs / 2, inputs - 1] {
                    var values = [Float](repeating: 0.5, count: 40 * inputs)
                    for row in [3, 39] { values[row * inputs + place] = value }
                    for format in [STENO_INT8, STENO_FLOAT32] {
                        let matrix = steno_matrix_create(40, Int32(inputs), format)
                        defer { steno_matrix_destroy(matrix) }
                        #expect(steno_matrix_set_float(matrix, 0, 40, values) == 2)
                        let rows = Self.rows(of: matrix, count: 40, inputs: inputs)
                        #expect(!rows[3 * inputs + place].isFinite)
                        #expect(rows[(4 * inputs)..<(5 * inputs)].allSatisfy { $0 == 0.5 })
                        // Setting damaged rows again repairs them.
                        #expect(steno_matrix_set_float(matrix, 0, 40, [Float](repeating: 1, count: 40 * inputs)) == 0)
                        #expect(Self.rows(of: matrix, count: 40, inputs: inputs).allSatisfy { $0 == 1 })
                    }
                }
            }
        }

        /// For denormal rows 127 / peak overflows; they count as zeros.
        @Test func theSmallestRowsAreFinite() {
            for value in [
                Float.leastNonzeroMagnitude, .leastNormalMagnitude / 100, .leastNormalMagnitude, 3.7e-37, 3.8e-37,
                4e-37, 1e-36,
            ] {
                let matrix = steno_matrix_create(2, 20, STENO_INT8)
                defer { steno_matrix_destroy(matrix) }
                #expect(steno_matrix_set_float(matrix, 0, 2, [Float](repeating: value, count: 40)) == 0)
                #expect(Self.rows(of: matrix, count: 2, inputs: 20).allSatisfy { abs($0 - value) <= min(value, 4e-37) })
            }
        }

        @Test func invalidScalesAreCounted() {
            let bytes = [Int8](repeating: 7, count: 12)
            for format in [STENO_INT8, STENO_FLOAT32] {
                let matrix = steno_matrix_create(6, 2, format)
                defer { steno_matrix_destroy(matrix) }
                let scales: [Float] = [1, 0, .nan, .infinity, 1e-38, 14]
                #expect(steno_matrix_set_int8(matrix, 0, 6, bytes, scales) == 4)
                let rows = Self.rows(of: matrix, count: 6, inputs: 2)
                #expect(rows[0] == 7 && rows[10] == 0.5)
                #expect(rows[2..<10].allSatisfy { $0.isNaN })
            }
        }

        @Test func aNewMatrixIsZeros() {
            for precision in [STENO_INT8, STENO_FLOAT32] {
                let matrix = steno_matrix_create(9, 9, precision)
                defer { steno_matrix_destroy(matrix) }
                #expect(Self.rows(of: matrix, count: 9, inputs: 9).allSatisfy { $0 == 0 })
            }
        }

        @Test func int8TakesAQuarterOfTheMemory() {
            let floats = steno_matrix_create(256, 256, STENO_FLOAT32), bytes = steno_matrix_create(256, 256, STENO_INT8)
            defer {
                steno_matrix_destroy(floats)
                steno_matrix_destroy(bytes)
            }
            #expect(steno_matrix_bytes(floats) == 4 * 256 * 256)
            #expect(steno_matrix_bytes(bytes) == 256 * 256)
        }
    }
}
