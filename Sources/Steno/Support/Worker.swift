import Foundation
import StenoCore

/// Runs blocking work on a thread of its own, so that Swift's cooperative pool is never held up.
package enum Worker {
    /// Enough for the deepest call of the engine; a thread's usual half megabyte on Apple platforms is not.
    package static let stackSize = 8 << 20

    /// Waits for blocking work; when the waiting task is cancelled, the flag is raised and `CancellationError` thrown.
    package static func run<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (CancellationFlag) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let flag = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                start(name, flag: flag, body) { continuation.resume(with: $0) }
            }
        } onCancel: {
            flag.cancel()
        }
    }

    /// Starts blocking work and hands its result to `completion` on the same thread.
    package static func start<Value: Sendable>(
        _ name: String, flag: CancellationFlag, _ body: @escaping @Sendable (CancellationFlag) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let thread = Thread {
            // Set from within: before the start, Linux would give the name to the starting thread or to none.
            Thread.current.name = name
            completion(Result { try body(flag) }.mapError { translated($0, flag) })
        }
        thread.stackSize = stackSize
        thread.start()
    }

    /// The engine has a code for cancelled work; callers know Swift's own error.
    ///
    /// Once the flag is up, whatever fails is a consequence: a decoder that was stopped reports a broken pipe, say.
    private static func translated(_ error: any Error, _ flag: CancellationFlag) -> any Error {
        flag.isCancelled || (error as? StenoError)?.code == .cancelled ? CancellationError() : error
    }
}
