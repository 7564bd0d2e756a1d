import CCeilings
import CStenoKernels

/// The matrix products of a Whisper model of a given width.
struct Products {
    let width: Int
    let pool: OpaquePointer?

    /// One product's shape.
    struct Shape {
        let name: String
        let rows: Int
        let inputs: Int
        let outputs: Int
        var gelu = false
    }

    /// The products of a window, which have many input rows.
    var window: [Shape] {
        [
            Shape(name: "queries, keys, values", rows: 1500, inputs: width, outputs: 3 * width),
            Shape(name: "attention out", rows: 1500, inputs: width, outputs: width),
            Shape(name: "feed-forward in", rows: 1500, inputs: width, outputs: 4 * width),
            Shape(name: "feed-forward in, GELU", rows: 1500, inputs: width, outputs: 4 * width, gelu: true),
            Shape(name: "feed-forward out", rows: 1500, inputs: 4 * width, outputs: width),
        ]
    }

    /// The convolutions, which are float32 in every precision; overlapping rows do not affect the time.
    var convolutions: [Shape] {
        [
            Shape(name: "first convolution, GELU", rows: 3000, inputs: 240, outputs: width, gelu: true),
            Shape(name: "second convolution, GELU", rows: 1500, inputs: 3 * width, outputs: width, gelu: true),
        ]
    }

    /// The products of a decoder step.
    func step(rows: Int) -> [Shape] {
        [
            Shape(name: "queries, keys, values", rows: rows, inputs: width, outputs: 3 * width),
            Shape(name: "attention out", rows: rows, inputs: width, outputs: width),
            Shape(name: "feed-forward in, GELU", rows: rows, inputs: width, outputs: 4 * width, gelu: true),
            Shape(name: "feed-forward out", rows: rows, inputs: 4 * width, outputs: width),
            Shape(name: "logits", rows: rows, inputs: width, outputs: 51865),
        ]
    }

    /// A product whose weights are in memory, as a decoder's are: with few rows, over enough copies of the weights that
    /// no cache holds them; with many rows, over one copy used repeatedly.
    func kernel(_ shape: Shape, _ precision: steno_format) -> Kernel {
        let weights = Buffer(count: shape.outputs * shape.inputs)
        let first = Matrix(shape, precision, weights)
        let copies = shape.rows > 16 ? 1 : max(2, Ceilings.memory / first.byteCount)
        let matrices = [first] + (1..<copies).map { _ in Matrix(shape, precision, weights) }
        let x = Buffer(count: shape.rows * shape.inputs)
        let y = Buffer(count: shape.rows * shape.outputs, zeros: true)
        let workspace = Buffer(count: first.workspace(rows: shape.rows) / 4 + 16, zeros: true)
        let isInt8 = precision == STENO_INT8
        let ends = (shape.rows * shape.inputs + shape.rows * shape.outputs) * 4
        return Kernel(
            name: "\(shape.name), \(shape.rows) × \(shape.inputs) → \(shape.outputs), \(isInt8 ? "int8" : "float32")",
            operations: 2 * Double(shape.rows) * Double(shape.inputs) * Double(shape.outputs),
            numbers: isInt8 ? CEILING_INT8 : CEILING_FLOAT32,
            bytes: Double(first.byteCount + ends),
            workingSet: copies > 1 ? Ceilings.memory : first.byteCount + ends,
            error: isInt8 ? deviation(shape, first, weights, x, y, workspace) : nil,
            call: { matrices[$0 % copies].multiply(shape, x, y, workspace, pool) })
    }

    /// The distance between the int8 and the float32 product of random numbers.
    private func deviation(
        _ shape: Shape, _ matrix: Matrix, _ weights: Buffer, _ x: Buffer, _ y: Buffer, _ workspace: Buffer
    ) -> Deviation {
        matrix.multiply(shape, x, y, workspace, pool)
        let result = y.array
        let reference = Matrix(shape, STENO_FLOAT32, weights)
        let room = Buffer(count: reference.workspace(rows: shape.rows) / 4 + 16, zeros: true)
        reference.multiply(shape, x, y, room, pool)
        return Deviation(result, from: y.array)
    }
}

/// A packed matrix.
private final class Matrix {
    private let handle: OpaquePointer

    init(_ shape: Products.Shape, _ precision: steno_format, _ weights: Buffer) {
        guard let handle = steno_matrix_create(Int32(shape.outputs), Int32(shape.inputs), precision) else {
            preconditionFailure("there is not enough memory for a matrix of \(shape.outputs) × \(shape.inputs)")
        }
        self.handle = handle
        steno_matrix_set_float(handle, 0, Int32(shape.outputs), weights.pointer)
    }

    deinit { steno_matrix_destroy(handle) }

    var byteCount: Int { Int(steno_matrix_bytes(handle)) }

    func workspace(rows: Int) -> Int { Int(steno_product_workspace(handle, Int32(rows))) }

    func multiply(_ shape: Products.Shape, _ x: Buffer, _ y: Buffer, _ workspace: Buffer, _ pool: OpaquePointer?) {
        var product = steno_product()
        product.matrix = handle
        product.x = UnsafePointer(x.pointer)
        product.x_stride = Int64(shape.inputs)
        product.rows = Int32(shape.rows)
        product.activation = shape.gelu ? STENO_GELU : STENO_IDENTITY
        product.y = y.pointer
        product.y_stride = Int64(shape.outputs)
        product.workspace = UnsafeMutableRawPointer(workspace.pointer)
        steno_multiply(pool, &product)
    }
}
