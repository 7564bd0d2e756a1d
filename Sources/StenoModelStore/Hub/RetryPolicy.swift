import Foundation
import Steno

/// A failure that may pass: the connection was lost, or the server is busy.
struct TransientFailure: Error {
    /// The reason, as the end of a sentence.
    let reason: String
    /// How long the server asks to wait, in seconds.
    var retryAfter: Double?
}

package struct RetryPolicy: Sendable {
    /// The number of consecutive failures without any new bytes after which the download fails.
    package var maximumFailures = 6
    /// The wait after the first failure in seconds; it doubles with each.
    package var firstDelay = 0.5
    /// The longest wait in seconds.
    package var longestDelay = 30.0
    /// The longest wait that a server may ask for, in seconds.
    package var longestRetryAfter = 300.0

    package init() {}

    /// Exponential backoff with jitter over its upper half, so that many clients do not return at once.
    func delay(failures: Int, random: Double) -> Double {
        let full = min(longestDelay, firstDelay * pow(2, Double(failures - 1)))
        return full * (0.5 + random / 2)
    }

    /// Runs an operation until it succeeds or fails for good.
    ///
    /// - Parameters:
    ///   - subject: The thing to download, for the error.
    ///   - progress: The number of bytes received; a failure after new bytes counts as the first.
    func run<Value: Sendable>(
        _ subject: String, timing: DownloadTiming, progress: () -> Int = { 0 }, _ attempt: () async throws -> Value
    ) async throws -> Value {
        var failures = 0
        var reached = progress()
        while true {
            do {
                try Task.checkCancellation()
                return try await attempt()
            } catch let failure as TransientFailure {
                let now = progress()
                failures = now > reached ? 1 : failures + 1
                // A server that cannot resume sends the same bytes again.
                reached = max(reached, now)
                let wait = failure.retryAfter ?? delay(failures: failures, random: timing.random())
                guard failures < maximumFailures, wait <= longestRetryAfter else {
                    throw abandoned(subject, failure, wait: wait, hasProgress: reached > 0)
                }
                try await timing.sleep(wait)
            }
        }
    }

    private func abandoned(
        _ subject: String, _ failure: TransientFailure, wait: Double, hasProgress: Bool
    ) -> StenoError {
        let later = wait > longestRetryAfter ? " The server asks to wait \(Int(wait / 60)) minutes." : ""
        let rest = hasProgress ? " The part downloaded so far is kept; the next download resumes there." : ""
        return StenoError(.downloadFailed, "\(subject) could not be downloaded: \(failure.reason).\(later)\(rest)")
    }
}

/// Time and randomness, which tests replace.
package struct DownloadTiming: Sendable {
    /// Seconds since an arbitrary moment.
    package var now: @Sendable () -> Double
    package var sleep: @Sendable (_ seconds: Double) async throws -> Void
    /// A number from 0 to 1.
    package var random: @Sendable () -> Double

    /// The machine's clock and random numbers.
    package static let system = DownloadTiming(
        now: { ProcessInfo.processInfo.systemUptime }, sleep: { try await Task.sleep(for: .seconds($0)) },
        random: { Double.random(in: 0...1) })
}
