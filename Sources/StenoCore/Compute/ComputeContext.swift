/// What arithmetic needs beside its operands: worker threads, and scratch memory for one product at a time.
///
/// A context belongs to one state (an encoding, a decoding, a detector), which one task uses at a time; the threads
/// behind it are shared. Whoever makes a state reserves the scratch of its largest product before any work starts, so
/// that nothing is allocated in a loop.
package final class ComputeContext {
    package let pool: WorkerPool
    private var buffer: ScratchBuffer?

    package init(pool: WorkerPool) { self.pool = pool }

    /// The scratch memory of one product; nil until some was reserved.
    var workspace: UnsafeMutableRawPointer? { buffer.map { UnsafeMutableRawPointer($0.pointer) } }

    /// Makes sure that the largest of the products asked for so far has its scratch memory.
    ///
    /// - Throws: `outOfMemory`.
    package func reserve(_ linear: Linear, rows: Int) throws {
        let floats = linear.workspaceBytes(rows: rows) / MemoryLayout<Float>.size + 16
        if floats > buffer?.count ?? 0 { buffer = try ScratchBuffer(count: floats) }
    }
}
