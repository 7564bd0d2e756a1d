package import Foundation
import Steno

/// Runs blocking work on a thread of its own, as the engine does; Swift's cooperative pool must stay free for the tasks
/// the work waits for.
package func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    // As in `Worker.run`, the thread sanitizer sees the lock.
    let handover = NSLock()
    defer { handover.withLock {} }
    return try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            let result = Swift.Result { try work() }
            handover.withLock { continuation.resume(with: result) }
        }
    }
}

/// The samples of a file in any format.
///
/// ffmpeg runs as a task of Swift's cooperative pool, so a test that waited for it on a thread of that pool could
/// deadlock.
package func decoded(_ file: URL) async throws -> [Float] {
    try await onThread { try AudioFile.open(file).allSamples() }
}
