internal import CStenoKernels
import StenoCore

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

    /// Reserves a workspace large enough for this product and those reserved before; throws `outOfMemory`.
    package func reserve(_ linear: Linear, rows: Int) throws {
        let floats = linear.workspaceBytes(rows: rows) / MemoryLayout<Float>.size + 16
        if floats > buffer?.count ?? 0 { buffer = try ScratchBuffer(count: floats) }
    }
}

/// The thread pool for computations: cheap enough to call tens of times per token, asleep when nothing is decoded.
///
/// Any number of transcriptions may share a pool. While one of them uses the worker threads, the others compute on
/// their own threads, so two transcriptions on two cores take one core each instead of waiting for each other.
package final class WorkerPool: @unchecked Sendable {
    // Sendable: the C pool supports calls from many threads; the pointer itself never changes.
    let handle: OpaquePointer?

    /// The number of threads that work together, the caller's included.
    package let threads: Int

    /// The process-wide pool, with one thread per core.
    package static let shared = WorkerPool(threads: Int(steno_physical_cores()))

    /// Creates a pool; if threads cannot be created it has fewer, in the worst case only the caller's.
    package init(threads: Int) {
        handle = steno_pool_create(Int32(clamping: threads))
        self.threads = Int(steno_pool_threads(handle))
    }

    deinit { steno_pool_destroy(handle) }

    /// Calls `body` once with every number below `count`, on the pool's threads, and waits for all calls.
    ///
    /// The calls may run concurrently, so no two of them may write to the same memory. Nothing is allocated.
    package func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
        // A single call, such as for choosing one token, needs neither the threads nor the memory that passes the
        // closure.
        guard count > 1 else {
            if count == 1 { body(0) }
            return
        }
        withoutActuallyEscaping(body) { body in
            withUnsafePointer(to: body) { pointer in
                let task: steno_task = { context, index in
                    context?.assumingMemoryBound(to: (@Sendable (Int) -> Void).self).pointee(Int(index))
                }
                steno_pool_run(handle, task, UnsafeMutableRawPointer(mutating: pointer), Int32(count))
            }
        }
    }

    /// The process-wide pool, or a new one if another number of threads is requested.
    package static func with(threads: Int?) -> WorkerPool {
        guard let threads, threads != shared.threads else { return shared }
        return WorkerPool(threads: threads)
    }

    /// - Throws: `invalidOption` for an impossible number.
    package static func checked(threads: Int?) throws -> WorkerPool {
        try ensure(
            (1...1024).contains(threads ?? 1), or: .invalidOption, "The number of threads must be from 1 to 1024.")
        return with(threads: threads)
    }
}

/// The machine's capabilities.
@_spi(Benchmarks) public enum Processor {
    /// The instruction set the kernels use: `portable`, `avx2`, `avxvnni`, `avx512`, `avx512vnni` or `amx`; on arm64
    /// `neon`, `neondot` or `neoni8mm`.
    @_spi(Benchmarks) public static var instructionSet: String { String(cString: steno_isa_name()) }

    /// The number of cores this process may use: those in its affinity mask, hyper-threads counted once, limited by the
    /// CPU quota of its control groups, as in a container.
    @_spi(Benchmarks) public static var physicalCores: Int { Int(steno_physical_cores()) }
}

package enum SystemMemory {
    /// Returns the pages of freed blocks to the system, if the allocator kept them; takes milliseconds.
    package static func giveBack() { steno_release_memory() }
}
