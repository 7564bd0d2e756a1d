/// Worker threads and a workspace for computations, one product at a time.
///
/// A context belongs to one state (an encoding, a decoding, a detector), used by one task at a time; the threads are
/// shared. A state reserves the workspace of its largest product when it is created, so that nothing is allocated in a
/// loop.
package final class ComputeContext {
    package let pool: WorkerPool
    private var buffer: ScratchBuffer?

    package init(pool: WorkerPool) { self.pool = pool }

    /// The workspace of one product; nil until one has been reserved.
    var workspace: UnsafeMutableRawPointer? { buffer.map { UnsafeMutableRawPointer($0.pointer) } }

    /// Reserves a workspace large enough for this product and those reserved before.
    ///
    /// - Throws: `outOfMemory`.
    package func reserve(_ linear: Linear, rows: Int) throws {
        let floats = linear.workspaceBytes(rows: rows) / MemoryLayout<Float>.size + 16
        if floats > buffer?.count ?? 0 { buffer = try ScratchBuffer(count: floats) }
    }
}
