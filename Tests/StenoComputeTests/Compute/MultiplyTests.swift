import CStenoKernels
import Foundation
import StenoTestSupport
import Testing

extension ComputeTests {
    struct MultiplyTests {
        /// The largest error in units of float32 rounding; a float32 product's error may grow with the number of terms.
        static func check(
            _ product: Product, _ variant: KernelVariant, tolerance: Double = 4e-7, pool: OpaquePointer? = nil,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let y = variant.multiply(product, pool: pool)
            var worst = 0.0
            // All rows of a small product, and some rows of a large one.
            let rows = Set((0..<min(product.rows, 14)).map { $0 } + [product.rows - 1, product.rows / 2])
            for row in rows {
                for output in 0..<product.outputs {
                    let expected = Reference.product(product, row: row, output: output)
                    let error = abs(Double(y[row * product.yStride + output]) - expected.value)
                    var allowed = tolerance * expected.magnitude + 1e-9
                    if product.gelu && product.isInt8 {
                        allowed += 2e-4 + 1.6e-5 * expected.magnitude
                    } else if product.gelu {
                        // The error function is accurate to 1.5e-7, and multiplied by half of x.
                        allowed += 2e-7 * expected.magnitude
                    }
                    worst = max(worst, error.isNaN ? .infinity : error / allowed)
                }
            }
            #expect(
                worst <= 1, "\(product.rows) rows, \(product.outputs) × \(product.inputs)",
                sourceLocation: sourceLocation)
            guard product.yStride > product.outputs else { return }
            for row in 0..<product.rows {
                let gap = y[(row * product.yStride + product.outputs)..<((row + 1) * product.yStride)]
                #expect(gap.allSatisfy { $0.isNaN }, "row \(row) wrote beyond its end", sourceLocation: sourceLocation)
            }
        }

        static let rowCounts = Array(1...13) + [24, 25, 96, 97, 200]

        @Test(arguments: KernelVariant.allCases, [false, true])
        func everyNumberOfRows(variant: KernelVariant, isInt8: Bool) {
            for rows in Self.rowCounts {
                Self.check(Product(outputs: 35, inputs: 67, rows: rows, isInt8: isInt8, seed: UInt64(rows)), variant)
            }
        }

        @Test(arguments: KernelVariant.allCases, [false, true]) func everyShape(variant: KernelVariant, isInt8: Bool) {
            for (index, outputs) in [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65].enumerated() {
                for inputs in sizes([1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 129], from: index) {
                    Self.check(Product(outputs: outputs, inputs: inputs, rows: 3, isInt8: isInt8), variant)
                }
            }
        }

        /// Bias, then GELU, then the residual: the order in which CTranslate2 rounds.
        @Test(arguments: KernelVariant.allCases, [false, true])
        func biasActivationAndResidual(variant: KernelVariant, isInt8: Bool) {
            for (outputs, rows) in [(64, 13), (35, 7), (3, 97)] {
                var random = SplitMix64(seed: 7)
                var product = Product(outputs: outputs, inputs: 33, rows: rows, isInt8: isInt8)
                product.yStride = outputs + 5
                product.bias = random.uniform(count: outputs, centre: 0.5, span: 3)
                Self.check(product, variant)
                product.gelu = true
                Self.check(product, variant)
                product.residual = random.uniform(count: rows * product.yStride, centre: 0, span: 10)
                Self.check(product, variant)
                product.bias = nil
                Self.check(product, variant)
                product.gelu = false
                Self.check(product, variant)
            }
        }

        /// A convolution's rows overlap.
        @Test(arguments: KernelVariant.allCases, [false, true])
        func overlappingRows(variant: KernelVariant, isInt8: Bool) {
            for stride in [1, 20, 60, 61, 80] {
                var product = Product(outputs: 24, inputs: 60, rows: 29, isInt8: isInt8)
                product.xStride = stride
                var random = SplitMix64(seed: 3)
                product.x = random.uniform(count: 28 * stride + 60, centre: 0, span: 1)
                Self.check(product, variant)
            }
        }

        /// As in the residual stream, the result is added to the rows it is written to.
        @Test(arguments: [false, true]) func residualMayBeTheResult(isInt8: Bool) throws {
            var product = Product(outputs: 40, inputs: 40, rows: 15, isInt8: isInt8)
            var random = SplitMix64(seed: 5)
            let stream = random.uniform(count: 15 * 40, centre: 0, span: 4)
            product.residual = stream
            let expected = KernelVariant.machine.multiply(product)
            let matrix = try #require(steno_matrix_create(40, 40, isInt8 ? STENO_INT8 : STENO_FLOAT32))
            defer { steno_matrix_destroy(matrix) }
            steno_matrix_set_float(matrix, 0, 40, product.weights)
            var y = stream
            y.withUnsafeMutableBufferPointer { y in
                product.x.withUnsafeBufferPointer { x in
                    KernelVariant.multiply(matrix, rows: 15) { call in
                        (call.x, call.x_stride) = (x.baseAddress, 40)
                        (call.residual, call.residual_stride) = (UnsafePointer(y.baseAddress), 40)
                        (call.y, call.y_stride) = (y.baseAddress, 40)
                    }
                }
            }
            #expect(y == expected)
        }

        /// Results are bit-identical however the work is divided.
        @Test(arguments: [false, true]) func resultsDoNotDependOnTheNumberOfThreads(isInt8: Bool) {
            for (outputs, rows) in [(7, 1), (100, 5), (33, 97), (64, 200)] {
                let product = Product(outputs: outputs, inputs: 50, rows: rows, isInt8: isInt8)
                expectSameInAnyNumberOfThreads { KernelVariant.machine.multiply(product, pool: $0) }
            }
        }

        /// Integers within the scale are exact, and ties are rounded to even.
        @Test(arguments: KernelVariant.allCases) func int8RoundsHalvesToEven(variant: KernelVariant) {
            var product = Product(outputs: 1, inputs: 7, rows: 1, isInt8: true)
            product.weights = [127, 1, 1, 1, 1, 1, 1]
            let cases: [([Float], Float)] = [
                ([127, 0.5, 0, 0, 0, 0, 0], 127 * 127), ([127, 1.5, 0, 0, 0, 0, 0], 127 * 127 + 2),
                ([127, 0, 2.5, 0, 0, 0, 0], 127 * 127 + 2), ([-127, 0, 0, 0, 0, 0, -3.5], -127 * 127 - 4),
                ([127, 0.501, 0.499, 0, 0, 0, 0], 127 * 127 + 1),
            ]
            for (x, expected) in cases {
                product.x = x
                #expect(variant.multiply(product) == [expected])
            }
        }

        /// Sums of integers are exact up to the largest weights and activations, −128 included.
        ///
        /// AVX2 adds four products in 16 bits where they fit, and stores a tile of eight rows in another way if no
        /// activation is below −22: these weights and activations are at those limits and just beyond.
        @Test(arguments: [1, 2, 3, 8, 29]) func integerSumsAreExact(rows: Int) throws {
            let outputs = 43, inputs = 603
            var random = SplitMix64(seed: UInt64(rows))
            let patterns: [[Int8]] = [
                [127], [-128], [127, -128], [-128, -128, 127, 127], [64], [-64], [64, -64, 64, -65], [65, 64, 64, 64],
                [-64, -64, -64, -64, -65, -64, -64, -64], [127, 1, 0, 0, 127, 1, 0, 0],
                [-128, -128, 0, 0, -1, 0, 0, 0],
                [109, 110, 0, 0, 0, 0, 0, 0], [110, 110, 0, 0, 0, 0, 0, 0], [55, 55, 0, 0, 55, 54, 0, 0],
                [-55, -55, 0, 0, -55, -54, 0, 0], [-55, -55, 0, 0, -55, -55, 0, 0], [127, -128, 0, 0, 92, -91, 0, 0],
            ]
            let weights = (0..<outputs).flatMap { output in
                (0..<inputs).map { input in
                    output < patterns.count
                        ? patterns[output][input % patterns[output].count]
                        : Int8.random(in: -128...127, using: &random)
                }
            }
            // Each row's largest magnitude is 127, so that activations are quantised to themselves.
            let x = (0..<rows).flatMap { row -> [Int] in
                let lowest = [-127, -22, row % 8 == 3 ? -23 : -22, -22][row / 8]
                let values = (0..<inputs).map { _ in
                    switch row % 4 {
                    case 0: 127
                    case 1: lowest
                    case 2: Bool.random(using: &random) ? 127 : lowest
                    default: Int.random(in: lowest...127, using: &random)
                    }
                }
                return [127] + values.dropFirst()
            }
            let matrix = try #require(steno_matrix_create(Int32(outputs), Int32(inputs), STENO_INT8))
            defer { steno_matrix_destroy(matrix) }
            steno_matrix_set_int8(matrix, 0, Int32(outputs), weights, [Float](repeating: 1, count: outputs))
            var y = [Float](repeating: .nan, count: rows * outputs)
            x.map(Float.init).withUnsafeBufferPointer { x in
                y.withUnsafeMutableBufferPointer { y in
                    KernelVariant.multiply(matrix, rows: rows) { call in
                        (call.x, call.x_stride) = (x.baseAddress, Int64(inputs))
                        (call.y, call.y_stride) = (y.baseAddress, Int64(outputs))
                    }
                }
            }
            for row in 0..<rows {
                let expected = (0..<outputs).map { output in
                    Float((0..<inputs).reduce(0) { $0 + x[row * inputs + $1] * Int(weights[output * inputs + $1]) })
                }
                #expect(Array(y[row * outputs..<(row + 1) * outputs]) == expected, "row \(row)")
            }
        }

        @Test(arguments: KernelVariant.allCases) func rowsOfZerosGiveZeros(variant: KernelVariant) {
            var product = Product(outputs: 20, inputs: 30, rows: 4, isInt8: true)
            product.x = [Float](repeating: 0, count: 120)
            #expect(variant.multiply(product).allSatisfy { $0 == 0 })
            product = Product(outputs: 20, inputs: 30, rows: 4, isInt8: true)
            product.weights = [Float](repeating: 0, count: 600)
            #expect(variant.multiply(product).allSatisfy { $0 == 0 })
        }

        /// A row with a NaN or an infinity gives NaN, and its neighbours are unaffected.
        @Test(arguments: KernelVariant.allCases, [Float.nan, .infinity])
        func int8RowsThatAreNotFiniteGiveNaNs(variant: KernelVariant, value: Float) {
            for place in [0, 15, 66] {
                var product = Product(outputs: 35, inputs: 67, rows: 3, isInt8: true)
                let expected = variant.multiply(product)
                product.x[67 + place] = value
                for gelu in [false, true] {
                    product.gelu = gelu
                    let y = variant.multiply(product)
                    #expect(y[35..<70].allSatisfy { $0.isNaN })
                    if !gelu { #expect(y[..<35] == expected[..<35] && y[70...] == expected[70...]) }
                }
            }
        }

        /// The activation functions of models other than Whisper, in whole panels and in a partial one.
        @Test(arguments: [false, true]) func otherActivations(isInt8: Bool) throws {
            let count = 67
            let matrix = try #require(steno_matrix_create(Int32(count), 1, isInt8 ? STENO_INT8 : STENO_FLOAT32))
            defer { steno_matrix_destroy(matrix) }
            // Each output equals its bias, so the result is the activation alone.
            var bias = (0..<count).map { Float($0 - 33) * 3.1 }
            (bias[0], bias[66]) = (-1e30, .nan)
            func apply(_ activation: steno_activation) -> [Float] {
                var y = [Float](repeating: 7, count: count)
                bias.withUnsafeBufferPointer { bias in
                    [Float(1)].withUnsafeBufferPointer { x in
                        y.withUnsafeMutableBufferPointer { y in
                            KernelVariant.multiply(matrix, rows: 1) { call in
                                (call.x, call.x_stride) = (x.baseAddress, 1)
                                (call.bias, call.activation) = (bias.baseAddress, activation)
                                (call.y, call.y_stride) = (y.baseAddress, Int64(count))
                            }
                        }
                    }
                }
                return y
            }
            let (silu, relu) = (apply(STENO_SILU), apply(STENO_RELU))
            #expect(silu[66].isNaN && relu[66].isNaN)
            for (index, x) in bias.enumerated().dropLast() {
                #expect(relu[index] == max(x, 0))
                let expected = Double(x) / (1 + exp(-Double(x)))
                #expect(abs(Double(silu[index]) - expected) <= 3e-7 * abs(expected) + 1e-7, "\(x)")
            }
        }

        /// The largest possible sum of four int8 products, at which 16-bit instructions saturate.
        @Test(arguments: KernelVariant.allCases) func int8SumsDoNotSaturate(variant: KernelVariant) {
            for (x, w) in [(Float(1), Float(1)), (1, -1), (-1, -1), (-1, 1)] {
                var product = Product(outputs: 33, inputs: 1024, rows: 13, isInt8: true)
                product.x = [Float](repeating: x, count: 13 * 1024)
                product.weights = [Float](repeating: w, count: 33 * 1024)
                Self.check(product, variant)
            }
        }

        @Test func noRowsWriteNothing() {
            #expect(KernelVariant.machine.multiply(Product(outputs: 8, inputs: 8, rows: 0)).isEmpty)
        }
    }
}
