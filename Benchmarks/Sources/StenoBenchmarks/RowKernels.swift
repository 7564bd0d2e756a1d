import CStenoKernels

/// The operations on rows of numbers.
struct RowKernels {
    let width: Int
    let pool: OpaquePointer?
    private static let vocabulary = 51865

    func layerNorm(rows: Int) -> Kernel {
        let x = Buffer(count: rows * width), y = Buffer(count: rows * width, zeros: true)
        let gamma = Buffer(count: width), beta = Buffer(count: width)
        let bytes = 2 * rows * width * 4
        return Kernel(
            name: "layer norm, \(rows) × \(width)", bytes: Double(bytes), workingSet: bytes,
            call: { _ in
                steno_layer_norm(
                    pool, x.pointer, Int64(width), Int32(rows), Int32(width), gamma.pointer, beta.pointer, 1e-5,
                    y.pointer, Int64(width))
            })
    }

    /// Converts logits to log probabilities; applied to its own output it does the same work and changes nothing.
    var logSoftmax: Kernel {
        let x = Buffer(count: Self.vocabulary)
        let bytes = 2 * Self.vocabulary * 4
        return Kernel(
            name: "log softmax, \(Self.vocabulary)", bytes: Double(bytes), workingSet: bytes / 2, isSerial: true,
            call: { _ in steno_log_softmax(x.pointer, Int64(Self.vocabulary)) })
    }

    func top(_ count: Int) -> Kernel {
        let x = Buffer(count: Self.vocabulary)
        let best = UnsafeMutablePointer<Int32>.allocate(capacity: count)
        let bytes = Self.vocabulary * 4
        return Kernel(
            name: "best \(count) of \(Self.vocabulary)", bytes: Double(bytes), workingSet: bytes, isSerial: true,
            call: { _ in steno_top_k(x.pointer, Int64(Self.vocabulary), Int32(count), best) })
    }
}
