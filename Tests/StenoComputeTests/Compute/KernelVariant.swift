import CStenoKernels
import CStenoKernelsWide
import StenoTestSupport
import Testing

/// The kernels' tests; `swift test --filter ComputeTests` runs only these.
///
/// Everything is compared with the definition in double precision. `STENO_MAX_ISA=portable` runs them with the portable
/// instruction set.
enum ComputeTests {}

/// Checks that a result is the same bit by bit however many threads compute it.
func expectSameInAnyNumberOfThreads(
    sourceLocation: SourceLocation = #_sourceLocation, _ compute: (_ pool: OpaquePointer?) -> [Float]
) {
    let alone = compute(nil)
    for threads in [1, 2, 3, 5] {
        let pool = steno_pool_create(Int32(threads))
        defer { steno_pool_destroy(pool) }
        #expect(compute(pool) == alone, "\(threads) threads", sourceLocation: sourceLocation)
    }
}

/// A matrix product over arrays, with every feature a caller can use.
struct Product {
    var outputs: Int
    var inputs: Int
    var rows: Int
    var isInt8 = false
    var gelu = false
    var weights: [Float]
    var x: [Float]
    var xStride: Int
    var bias: [Float]?
    var residual: [Float]?
    /// The distance between rows of the result, and of the residual.
    var yStride: Int

    /// Creates a product of random numbers.
    init(outputs: Int, inputs: Int, rows: Int, isInt8: Bool = false, seed: UInt64 = 1) {
        var random = SplitMix64(seed: seed)
        self.outputs = outputs
        self.inputs = inputs
        self.rows = rows
        self.isInt8 = isInt8
        weights = random.uniform(count: outputs * inputs, centre: 0, span: 1)
        // The standard library marks empty arrays as empty even if they all share one storage: a data race in name
        // only.
        x = rows > 0 ? random.uniform(count: rows * inputs, centre: 0.1, span: 2) : []
        xStride = inputs
        yStride = outputs
    }
}

/// The kernels in one of their variants.
enum KernelVariant: String, CaseIterable, CustomTestStringConvertible, Sendable {
    /// The variant this machine uses, or the one `STENO_MAX_ISA` allows.
    case machine
    /// Vectors of 64 bytes with an explicit dot product.
    case wide

    var testDescription: String { self == .wide ? "64 bytes" : String(cString: steno_isa_name()) }

    /// The result, [rows, yStride]; elements that a product must not write are NaN.
    func multiply(_ product: Product, pool: OpaquePointer? = nil) -> [Float] {
        var y = [Float](repeating: .nan, count: product.rows * product.yStride)
        product.withPointers { weights, x, bias, residual in
            switch self {
            case .wide:
                var wide = wide_product()
                (wide.outputs, wide.inputs) = (Int32(product.outputs), Int32(product.inputs))
                (wide.rows, wide.is_int8, wide.gelu) = (Int32(product.rows), product.isInt8, product.gelu)
                (wide.weights, wide.bias) = (weights, bias)
                (wide.x, wide.x_stride) = (x, Int64(product.xStride))
                (wide.residual, wide.residual_stride) = (residual, Int64(product.yStride))
                wide.y_stride = Int64(product.yStride)
                y.withUnsafeMutableBufferPointer { y in
                    wide.y = y.baseAddress
                    wide_multiply(&wide)
                }
            case .machine:
                y.withUnsafeMutableBufferPointer { y in
                    Self.multiply(product, weights, x, bias, residual, into: y.baseAddress, pool)
                }
            }
        }
        return y
    }

    private static func multiply(
        _ product: Product, _ weights: UnsafePointer<Float>?, _ x: UnsafePointer<Float>?, _ bias: UnsafePointer<Float>?,
        _ residual: UnsafePointer<Float>?, into y: UnsafeMutablePointer<Float>?, _ pool: OpaquePointer?
    ) {
        let precision = product.isInt8 ? STENO_INT8 : STENO_FLOAT32
        let matrix = steno_matrix_create(Int32(product.outputs), Int32(product.inputs), precision)
        defer { steno_matrix_destroy(matrix) }
        steno_matrix_set_float(matrix, 0, Int32(product.outputs), weights)
        multiply(matrix, rows: product.rows, pool) { call in
            (call.x, call.x_stride) = (x, Int64(product.xStride))
            (call.bias, call.activation) = (bias, product.gelu ? STENO_GELU : STENO_IDENTITY)
            (call.residual, call.residual_stride) = (residual, Int64(product.yStride))
            (call.y, call.y_stride) = (y, Int64(product.yStride))
        }
    }

    /// Multiplies rows by a matrix on this machine, with the workspace that it needs.
    static func multiply(
        _ matrix: OpaquePointer?, rows: Int, _ pool: OpaquePointer? = nil, _ describe: (inout steno_product) -> Void
    ) {
        let bytes = Int(steno_product_workspace(matrix, Int32(rows)))
        let workspace = UnsafeMutableRawPointer.allocate(byteCount: max(bytes, 1), alignment: 64)
        defer { workspace.deallocate() }
        var call = steno_product()
        (call.matrix, call.rows, call.workspace) = (matrix, Int32(rows), workspace)
        describe(&call)
        steno_multiply(pool, &call)
    }
}

extension Product {
    /// Weights, x, bias and residual; nil if there is none.
    func withPointers(
        _ body: (UnsafePointer<Float>?, UnsafePointer<Float>?, UnsafePointer<Float>?, UnsafePointer<Float>?) -> Void
    ) {
        weights.withUnsafeBufferPointer { weights in
            x.withUnsafeBufferPointer { x in
                (bias ?? []).withUnsafeBufferPointer { bias in
                    (residual ?? []).withUnsafeBufferPointer { residual in
                        body(
                            weights.baseAddress, x.baseAddress, self.bias == nil ? nil : bias.baseAddress,
                            self.residual == nil ? nil : residual.baseAddress)
                    }
                }
            }
        }
    }
}
