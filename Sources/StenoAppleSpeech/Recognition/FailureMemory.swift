import Foundation
package import Steno

/// Remembers that sessions of an engine failed, so that the next session falls back to another one.
package final class FailureMemory: @unchecked Sendable {
    // Sendable: the reason is accessed under the lock.
    private let lock = NSLock()
    private var reason: String?

    /// Begins without a failure.
    package init() {}

    /// Why sessions failed; nil if none did.
    package var failure: String? { lock.withLock { reason } }

    /// A session failed.
    package func remember(_ error: any Error) { lock.withLock { reason = "\(error)" } }

    /// Unavailable, if sessions failed.
    package var capability: EngineCapability? {
        failure.map {
            .unavailable(reason: "It failed earlier, and is not tried again until the app is restarted: \($0)")
        }
    }
}
