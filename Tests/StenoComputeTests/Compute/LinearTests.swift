import StenoCompute
import StenoCore
import StenoTestSupport
import Testing

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
