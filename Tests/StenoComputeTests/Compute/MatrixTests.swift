import CStenoKernels
import StenoCompute
import StenoCore
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

extension ComputeTests {
    struct LinearTests {
        private static let inputs = 96, rows = 29

        private static func linear(outputs: Int, inputs: Int = Self.inputs, _ precision: Precision) throws -> Linear {
            var random = SplitMix64(seed: UInt64(outputs))
            let matrix = try PackedMatrix(outputs: outputs, inputs: inputs, precision: precision)
            _ = matrix.setRows(from: 0, count: outputs, to: random.uniform(count: outputs * inputs, centre: 0, span: 1))
            return Linear(matrix: matrix, bias: try FloatBuffer(random.uniform(count: outputs, centre: 0, span: 1)))
        }

        /// Results of several products of the same rows, computed together or each by itself; the second is added to
        /// rows of its own.
        private static func results(_ linears: [Linear], together: Bool) throws -> [[Float]] {
            var random = SplitMix64(seed: 3)
            let context = ComputeContext(pool: WorkerPool(threads: 2))
            for linear in linears { try context.reserve(linear, rows: rows) }
            let x = try ScratchBuffer(count: rows * inputs), residual = try ScratchBuffer(count: rows * 64)
            x.pointer.update(from: random.uniform(count: x.count, centre: 0.1, span: 2), count: x.count)
            residual.pointer.update(from: random.uniform(count: rows * 64, centre: 0, span: 9), count: rows * 64)
            let results = try linears.map { try ScratchBuffer(zeros: rows * $0.matrix.outputs) }
            let products = linears.indices.map { index in
                Linear.Product(
                    linears[index], into: Rows(results[index].pointer, stride: linears[index].matrix.outputs),
                    adding: index == 1 ? Rows(residual.pointer, stride: 64) : nil)
            }
            let input = Rows(x.pointer, stride: inputs)
            if together {
                Linear.apply(products, to: input, rows: rows, in: context)
            } else {
                for product in products {
                    product.linear.apply(input, rows: rows, into: product.y, adding: product.residual, in: context)
                }
            }
            return results.map { Array(UnsafeBufferPointer(start: $0.pointer, count: $0.count)) }
        }

        /// The rows are quantised once for all products, which changes no bit of a result.
        @Test(arguments: [Precision.float32, .int8]) func productsOfTheSameRows(precision: Precision) throws {
            let linears = try [40, 33, 7].map { try Self.linear(outputs: $0, precision) }
            let together = try Self.results(linears, together: true)
            let alone = try Self.results(linears, together: false)
            #expect(together == alone)
            #expect(alone.allSatisfy { $0.contains { $0 != 0 } })
        }

        /// What one product has made of the rows is used only by those that need the same.
        @Test func differentProductsOfTheSameRows() throws {
            let linears = [
                try Self.linear(outputs: 20, .int8), try Self.linear(outputs: 21, inputs: 48, .int8),
                try Self.linear(outputs: 22, .float32), try Self.linear(outputs: 23, .int8),
            ]
            let together = try Self.results(linears, together: true)
            let alone = try Self.results(linears, together: false)
            #expect(together == alone)
        }
    }
}
