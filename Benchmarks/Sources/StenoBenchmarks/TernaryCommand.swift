import ArgumentParser
import CStenoKernels
@_spi(Benchmarks) import StenoEvaluation

/// `steno-benchmarks ternary`: measures ternary products against int8 products of the same shape.
struct TernaryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ternary",
        abstract: "Measure ternary products against int8 products, on the shapes of Parakeet Redux.",
        discussion: """
            Both products take turns in one process, a call at a time, and the least time of each counts: other work on the \
            machine can only make a call slower. Weights are read from memory, as in a model too large for any cache. \
            STENO_MAX_ISA chooses the instruction set.
            """)

    @OptionGroup var common: CommonArguments
    @Option(name: .long, help: "Only products with this number of rows.")
    var rows: Int?

    func run() {
        let pool = steno_pool_create(Int32(common.threads))
        defer { steno_pool_destroy(pool) }
        print("\(String(cString: steno_isa_name())), \(common.threadCount), least of \(50 * common.runs) calls\n")
        print("| product | int8, ms | ternary, ms | ratio |\n|---|---|---|---|")
        for (inputs, outputs) in [(1024, 1024), (1024, 4096), (4096, 1024)] {
            for count in [1, 8, 128, 375] where rows == nil || rows == count {
                let pair = TernaryPair(rows: count, inputs: inputs, outputs: outputs)
                let (int8, ternary) = pair.measure(calls: 50 * common.runs, pool)
                let cells = [Format.digits(int8), Format.digits(ternary), Format.digits(ternary / int8)]
                print("| \(count) × \(inputs) → \(outputs) | \(cells.joined(separator: " | ")) |")
            }
        }
    }
}

/// An int8 and a ternary product with the same weights.
private final class TernaryPair {
    private let rows: Int
    private let inputs: Int
    private let outputs: Int
    private let x: Buffer
    private let y: Buffer
    private let workspace: Buffer
    private var int8: [OpaquePointer] = []
    private var ternary: [OpaquePointer] = []

    init(rows: Int, inputs: Int, outputs: Int) {
        (self.rows, self.inputs, self.outputs) = (rows, inputs, outputs)
        let group = Int(STENO_TERNARY_GROUP)
        let random = Buffer(count: outputs * inputs)
        let weights = random.array.map { Int8(($0 * 1.5).rounded()) }
        let scales = Buffer(count: outputs * inputs / group).array.map { abs($0) / 32 }
        let floats = weights.indices.map { Float(weights[$0]) * scales[$0 / group] }
        // Twice as much as any cache of one core holds, for either format.
        let copies = max(2, (64 << 20) / (outputs * inputs))
        for _ in 0..<copies {
            int8.append(Self.matrix(outputs, inputs, STENO_INT8))
            steno_matrix_set_float(int8[int8.count - 1], 0, Int32(outputs), floats)
        }
        for _ in 0..<4 * copies {
            ternary.append(Self.matrix(outputs, inputs, STENO_TERNARY))
            steno_matrix_set_ternary(ternary[ternary.count - 1], 0, Int32(outputs), weights, scales)
        }
        x = Buffer(count: rows * inputs)
        y = Buffer(count: rows * outputs, zeros: true)
        let bytes = max(
            steno_product_workspace(int8[0], Int32(rows)), steno_product_workspace(ternary[0], Int32(rows)))
        workspace = Buffer(count: Int(bytes) / 4 + 16, zeros: true)
    }

    deinit { for matrix in int8 + ternary { steno_matrix_destroy(matrix) } }

    private static func matrix(_ outputs: Int, _ inputs: Int, _ format: steno_format) -> OpaquePointer {
        guard let matrix = steno_matrix_create(Int32(outputs), Int32(inputs), format) else {
            preconditionFailure("there is not enough memory for a matrix of \(outputs) × \(inputs)")
        }
        return matrix
    }

    /// The least milliseconds of each product.
    func measure(calls: Int, _ pool: OpaquePointer?) -> (int8: Double, ternary: Double) {
        let stopwatch = Stopwatch()
        var least = (int8: Double.infinity, ternary: Double.infinity)
        for call in 0..<calls {
            least.int8 = min(least.int8, stopwatch.milliseconds { multiply(int8[call % int8.count], pool) })
            least.ternary = min(least.ternary, stopwatch.milliseconds { multiply(ternary[call % ternary.count], pool) })
        }
        return least
    }

    private func multiply(_ matrix: OpaquePointer, _ pool: OpaquePointer?) {
        var product = steno_product()
        product.matrix = matrix
        product.x = UnsafePointer(x.pointer)
        product.x_stride = Int64(inputs)
        product.rows = Int32(rows)
        product.y = y.pointer
        product.y_stride = Int64(outputs)
        product.workspace = UnsafeMutableRawPointer(workspace.pointer)
        steno_multiply(pool, &product)
    }
}
