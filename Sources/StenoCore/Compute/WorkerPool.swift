internal import CStenoKernels

/// The threads that share the arithmetic: cheap to call tens of times a token, asleep when nothing is decoded.
///
/// Any number of transcriptions may use one pool. While one of them has the team, the others compute on their own
/// threads, so two transcriptions on two cores take one core each instead of waiting for each other.
package final class WorkerPool: @unchecked Sendable {
    // Sendable: the C pool is made for calls from many threads; the pointer itself never changes.
    let handle: OpaquePointer?

    /// How many threads work together, the caller's own included.
    package let threads: Int

    /// The pool of the process, with one thread for each core.
    package static let shared = WorkerPool(threads: Int(steno_physical_cores()))

    /// Makes a pool of its own; where threads cannot be had it has fewer, at worst only the caller's.
    package init(threads: Int) {
        handle = steno_pool_create(Int32(clamping: threads))
        self.threads = Int(steno_pool_threads(handle))
    }

    deinit { steno_pool_destroy(handle) }

    /// Calls `body` with every number below `count`, each once, on the threads of the team, and waits for all.
    ///
    /// The calls may happen at once, so no two of them may touch the same thing. Nothing is allocated.
    package func run(_ count: Int, _ body: @Sendable (Int) -> Void) {
        // Alone it needs neither a team nor the memory in which a closure travels: a token's choice is one call.
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

    /// The process-wide pool, or one of its own when another number of threads is asked for.
    package static func with(threads: Int?) -> WorkerPool {
        guard let threads, threads != shared.threads else { return shared }
        return WorkerPool(threads: threads)
    }
}

/// What this machine computes with.
public enum Processor {
    /// The instruction set the kernels use: `portable`, `avx2`, `avxvnni`, `avx512` or `avx512vnni`; on arm64 `neon`,
    /// `neondot` or `neoni8mm`.
    public static var instructionSet: String { String(cString: steno_isa_name()) }

    /// The cores this process may use: its affinity, hyper-threads counted once, and no more than the CPU quota of its
    /// control groups, as in a container.
    public static var physicalCores: Int { Int(steno_physical_cores()) }
}
