package import Foundation
import Steno

/// Runs blocking work on a thread of its own, as the engine does; Swift's cooperative pool must stay free for the tasks
/// the work waits for.
package func onThread<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await Worker.run("steno.test") { _ in try work() }
}

/// The samples of a file in any format.
///
/// ffmpeg runs as a task of Swift's cooperative pool, so a test that waited for it on a thread of that pool could
/// deadlock.
package func decoded(_ file: URL) async throws -> [Float] {
    try await onThread { try AudioFile.open(file).allSamples() }
}
