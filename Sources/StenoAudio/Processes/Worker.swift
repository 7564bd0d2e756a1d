internal import CStenoKernels
import Foundation
import StenoCore

/// Runs blocking work on its own threads, so that Swift's cooperative pool is never blocked.
package enum Worker {
    /// The stack size that work needs.
    package enum Stack: Sendable {
        /// Enough for the deepest call of a model, unlike the usual half megabyte on Apple platforms.
        case deep
        /// Enough for reading and copying audio.
        case shallow
    }

    /// The size of a deep stack, in bytes; only its used part takes memory.
    package static let stackSize = 8 << 20

    /// Some threads are kept, because starting one takes longer than a short call; rarely do more than a few calls run
    /// at once.
    private static let deep = WorkerThreads(stackSize: stackSize, idleLimit: 4, idleTime: 5)
    private static let shallow = WorkerThreads(stackSize: 1 << 20, idleLimit: 1, idleTime: 5)

    /// Runs blocking work and waits for it; when the waiting task is cancelled, the flag is raised and
    /// `CancellationError` thrown.
    package static func run<Value: Sendable>(
        _ name: String, stack: Stack = .deep, _ body: @escaping @Sendable (CancellationFlag) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let flag = CancellationFlag()
        // The thread sanitizer does not see how the value is passed on if the work ends before the task waits for it
        // (Swift 6.3's runtime does not report this). It does see the lock.
        let handover = NSLock()
        defer { handover.withLock {} }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(name, stack: stack, flag: flag, body) { result in
                    handover.withLock { continuation.resume(with: result) }
                }
            }
        } onCancel: {
            flag.cancel()
        }
    }

    /// Starts blocking work and hands its result to `completion` on the same thread.
    package static func start<Value: Sendable>(
        _ name: String, stack: Stack = .deep, flag: CancellationFlag,
        _ body: @escaping @Sendable (CancellationFlag) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let threads = stack == .deep ? deep : shallow
        threads.start(name) { completion(Result { try body(flag) }.mapError { translated($0, flag) }) }
    }

    /// The engine has its own code for cancelled work; callers expect Swift's error.
    ///
    /// Once the flag is up, every failure is a consequence: a stopped decoder reports a broken pipe, for example.
    private static func translated(_ error: any Error, _ flag: CancellationFlag) -> any Error {
        flag.isCancelled || (error as? StenoError)?.code == .cancelled ? CancellationError() : error
    }
}

/// The name of the calling thread, as debuggers and `top -H` show it.
///
/// This does not use Foundation's `Thread.name`: on Linux it has no effect until the starting thread has stored the new
/// thread's identifier.
package enum ThreadName {
    /// Names the calling thread; Linux keeps only the first 15 bytes.
    package static func set(_ name: String) { steno_set_thread_name(name) }

    /// The name of the calling thread; empty if it is unknown.
    package static var current: String {
        var bytes = [CChar](repeating: 0, count: 64)
        steno_get_thread_name(&bytes, bytes.count)
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
