import Foundation

/// Time and chance, so that tests need neither.
package struct DownloadTiming: Sendable {
    /// Seconds since any moment.
    package var now: @Sendable () -> Double
    /// Waits for some seconds.
    package var sleep: @Sendable (_ seconds: Double) async throws -> Void
    /// A number from 0 to 1.
    package var random: @Sendable () -> Double

    /// Creates a source of time.
    package init(
        now: @escaping @Sendable () -> Double, sleep: @escaping @Sendable (Double) async throws -> Void,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.sleep = sleep
        self.random = random
    }

    /// The machine's own.
    package static let system = DownloadTiming(
        now: { ProcessInfo.processInfo.systemUptime }, sleep: { try await Task.sleep(for: .seconds($0)) },
        random: { Double.random(in: 0...1) })
}
