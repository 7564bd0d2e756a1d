/// What arithmetic needs beside its operands: worker threads, and scratch memory for one product at a time.
///
/// A context belongs to one state (an encoding, a decoding, a detector), which one task uses at a time; the threads
/// behind it are shared. Whoever makes a state reserves the scratch of its largest product before any work starts, so
/// that nothing is allocated in a loop.
package final class ComputeContext {
    package let pool: WorkerPool
    private(set) package var workspace: ScratchBuffer

    package init(pool: WorkerPool) {
        self.pool = pool
        workspace = ScratchBuffer(count: 16)
    }

    /// Makes sure that the largest of the products asked for so far has its scratch memory.
    package func reserve(_ linear: Linear, rows: Int) {
        let floats = linear.workspaceBytes(rows: rows) / MemoryLayout<Float>.size + 16
        if floats > workspace.count { workspace = ScratchBuffer(count: floats) }
    }
}
