internal import CStenoKernels

/// Gated linear units (Shazeer 2020): a product's results are values and, after them, as many gates.
package enum GatedUnit {
    /// Replaces the values of `rows` rows [2 · width] with value · SiLU(gate).
    package static func silu(_ x: Rows, rows: Int, width: Int, in context: ComputeContext) {
        steno_gate_silu(
            context.pool.handle, x.pointer, Int64(x.stride), Int32(rows), Int32(width), x.pointer, Int64(x.stride))
    }
}
