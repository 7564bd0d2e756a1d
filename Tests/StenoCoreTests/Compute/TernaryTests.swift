import CStenoKernels
import CStenoKernelsWide
import StenoTestSupport
import Testing

extension ComputeTests {
    /// Products of ternary matrices have the bits of their definition: the sums of groups are exact, and are added in
    /// order.
    struct TernaryTests {
        private static let group = Int(STENO_TERNARY_GROUP)

        /// A matrix of random weights, and rows of random numbers.
        struct Case {
            let outputs: Int
            let inputs: Int
            let rows: Int
            var weights: [Int8]
            var scales: [Float]
            var x: [Float]

            var groups: Int { (inputs + group - 1) / group }

            init(outputs: Int, inputs: Int, rows: Int) {
                var random = SplitMix64(seed: UInt64(outputs + 100 * inputs + 10_000 * rows))
                (self.outputs, self.inputs, self.rows) = (outputs, inputs, rows)
                weights = (0..<outputs * inputs).map { _ in Int8.random(in: -1...1, using: &random) }
                scales = random.uniform(count: outputs * ((inputs + group - 1) / group), centre: 0.01, span: 0.02)
                x = random.uniform(count: rows * inputs, centre: 0.1, span: 2)
            }

            /// The result at one row and output.
            func expected(row: Int, output: Int) -> Float {
                let own = Array(x[row * inputs..<(row + 1) * inputs])
                guard own.allSatisfy(\.isFinite) else { return .nan }
                let peak = own.reduce(0) { max($0, abs($1)) }
                let steps: Float = peak > 0 ? 127 / peak : 1
                var total: Float = 0
                for index in 0..<groups {
                    let range = index * group..<min((index + 1) * group, inputs)
                    let sum = range.reduce(0) {
                        $0 + Int((own[$1] * steps).rounded(.toNearestOrEven)) * Int(weights[output * inputs + $1])
                    }
                    total.addProduct(Float(sum), scales[output * groups + index])
                }
                return total * (1 / steps)
            }

            var expected: [Float] {
                (0..<rows).flatMap { row in (0..<outputs).map { expected(row: row, output: $0) } }
            }

            func matrix() throws -> OpaquePointer {
                let matrix = try #require(steno_matrix_create(Int32(outputs), Int32(inputs), STENO_TERNARY))
                steno_matrix_set_ternary(matrix, 0, Int32(outputs), weights, scales)
                return matrix
            }

            func multiply(_ variant: KernelVariant = .machine, pool: OpaquePointer? = nil) throws -> [Float] {
                guard variant == .machine else {
                    var y = [Float](repeating: 7, count: rows * outputs)
                    wide_multiply_ternary(Int32(outputs), Int32(inputs), weights, scales, Int32(rows), x, &y)
                    return y
                }
                let matrix = try matrix()
                defer { steno_matrix_destroy(matrix) }
                return product(matrix, pool)
            }

            func product(
                _ matrix: OpaquePointer, _ pool: OpaquePointer? = nil, change: (inout steno_product) -> Void = { _ in }
            ) -> [Float] {
                var y = [Float](repeating: 7, count: rows * outputs)
                x.withUnsafeBufferPointer { x in
                    y.withUnsafeMutableBufferPointer { y in
                        KernelVariant.multiply(matrix, rows: rows, pool) { call in
                            (call.x, call.x_stride) = (x.baseAddress, Int64(inputs))
                            (call.y, call.y_stride) = (y.baseAddress, Int64(outputs))
                            change(&call)
                        }
                    }
                }
                return y
            }
        }

        @Test(arguments: KernelVariant.allCases) func everyNumberOfRows(variant: KernelVariant) throws {
            for rows in MultiplyTests.rowCounts {
                let product = Case(outputs: 35, inputs: 300, rows: rows)
                #expect(try product.multiply(variant) == product.expected, "\(rows) rows")
            }
        }

        @Test(arguments: KernelVariant.allCases) func everyShape(variant: KernelVariant) throws {
            for outputs in [1, 7, 8, 9, 16, 17, 31, 32, 33, 65] {
                for inputs in [1, 3, 5, 16, 127, 128, 129, 256, 513] {
                    let product = Case(outputs: outputs, inputs: inputs, rows: 3)
                    #expect(try product.multiply(variant) == product.expected, "\(outputs) × \(inputs)")
                }
            }
        }

        /// The largest sums of a group, which must fit in 16 bits where they are added in 16 bits.
        @Test(arguments: KernelVariant.allCases) func sumsDoNotOverflow(variant: KernelVariant) throws {
            for rows in [1, 40] {
                for (x, weight) in [(Float(1), Int8(1)), (1, -1), (-1, 1), (-1, -1), (0, 1)] {
                    var product = Case(outputs: 33, inputs: 384, rows: rows)
                    product.x = [Float](repeating: x, count: rows * 384)
                    product.weights = [Int8](repeating: weight, count: 33 * 384)
                    #expect(try product.multiply(variant) == product.expected, "\(rows) rows of \(x) times \(weight)")
                }
            }
        }

        @Test func resultsDoNotDependOnTheNumberOfThreads() throws {
            for (outputs, rows) in [(7, 1), (100, 5), (33, 97), (64, 200)] {
                let product = Case(outputs: outputs, inputs: 160, rows: rows)
                let alone = try product.multiply()
                for threads in [2, 3, 5] {
                    let pool = steno_pool_create(Int32(threads))
                    defer { steno_pool_destroy(pool) }
                    #expect(try product.multiply(pool: pool) == alone)
                }
            }
        }

        /// A row with a NaN or an infinity gives NaN, and its neighbours are unaffected.
        @Test(arguments: KernelVariant.allCases, [Float.nan, .infinity])
        func inputsThatAreNotFiniteGiveNaNs(variant: KernelVariant, value: Float) throws {
            for rows in [3, 30] {
                var product = Case(outputs: 35, inputs: 200, rows: rows)
                let expected = try product.multiply(variant)
                product.x[200 + 150] = value
                let y = try product.multiply(variant)
                #expect(y[35..<70].allSatisfy { $0.isNaN })
                #expect(y[..<35] == expected[..<35] && y[70...] == expected[70...])
            }
        }

        @Test func scalesThatAreNotFiniteAreCounted() throws {
            for rows in [2, 20] {
                var product = Case(outputs: 34, inputs: 256, rows: rows)
                product.scales[3] = .nan
                (product.scales[20], product.scales[21]) = (.infinity, -.infinity)
                (product.scales[66], product.scales[67]) = (0, 0)
                let matrix = try #require(steno_matrix_create(34, 256, STENO_TERNARY))
                defer { steno_matrix_destroy(matrix) }
                #expect(steno_matrix_set_ternary(matrix, 0, 34, product.weights, product.scales) == 2)
                let y = product.product(matrix)
                for row in 0..<rows {
                    for output in 0..<34 {
                        let value = y[row * 34 + output]
                        switch output {
                        case 1, 10: #expect(value.isNaN)
                        case 33: #expect(value == 0)
                        default: #expect(value == product.expected(row: row, output: output))
                        }
                    }
                }
                // Setting damaged rows again repairs them.
                product.scales = [Float](repeating: 0.5, count: 68)
                #expect(steno_matrix_set_ternary(matrix, 0, 34, product.weights, product.scales) == 0)
                #expect(product.product(matrix) == product.expected)
            }
        }

        @Test func biasActivationAndResidual() throws {
            let product = Case(outputs: 40, inputs: 130, rows: 15)
            var random = SplitMix64(seed: 5)
            let bias = random.uniform(count: 40, centre: 0.5, span: 3)
            let residual = random.uniform(count: 15 * 40, centre: 0, span: 4)
            let matrix = try product.matrix()
            defer { steno_matrix_destroy(matrix) }
            let y = bias.withUnsafeBufferPointer { bias in
                residual.withUnsafeBufferPointer { residual in
                    product.product(matrix) { call in
                        (call.bias, call.activation) = (bias.baseAddress, STENO_RELU)
                        (call.residual, call.residual_stride) = (residual.baseAddress, 40)
                    }
                }
            }
            for (index, value) in product.expected.enumerated() {
                let expected = max(value + bias[index % 40], 0) + residual[index]
                #expect(abs(y[index] - expected) <= 1e-6)
            }
        }

        /// A fused matrix is filled in several calls, each starting at a multiple of the panel.
        @Test func rowsAreKept() throws {
            let panel = try Int(steno_matrix_panel(Case(outputs: 1, inputs: 1, rows: 1).matrix()))
            let product = Case(outputs: 3 * panel + 1, inputs: 333, rows: 1)
            let matrix = try #require(steno_matrix_create(Int32(product.outputs), 333, STENO_TERNARY))
            defer { steno_matrix_destroy(matrix) }
            for (first, count) in [(2 * panel, panel + 1), (0, panel), (panel, panel)] {
                steno_matrix_set_ternary(
                    matrix, Int32(first), Int32(count), Array(product.weights[(first * 333)...]),
                    Array(product.scales[(first * 3)...]))
            }
            let rows = MatrixTests.rows(of: matrix, count: product.outputs, inputs: 333)
            for (index, value) in rows.enumerated() {
                let scale = product.scales[index / 333 * 3 + index % 333 / Self.group]
                #expect(value == Float(product.weights[index]) * scale)
            }
        }

        /// Two bits instead of 32, and rows of other formats are refused.
        @Test func aMatrixIsASixteenth() throws {
            let matrix = try Case(outputs: 256, inputs: 256, rows: 1).matrix()
            let floats = try #require(steno_matrix_create(256, 256, STENO_FLOAT32))
            defer {
                steno_matrix_destroy(matrix)
                steno_matrix_destroy(floats)
            }
            #expect(16 * steno_matrix_bytes(matrix) == steno_matrix_bytes(floats))
            let values = [Float](repeating: 1, count: 256 * 256), bytes = [Int8](repeating: 1, count: 256 * 256)
            #expect(steno_matrix_set_float(matrix, 0, 2, values) == 2)
            #expect(steno_matrix_set_int8(matrix, 0, 2, bytes, values) == 2)
            #expect(steno_matrix_set_ternary(floats, 0, 2, bytes, values) == 2)
        }
    }
}
