import Foundation
package import Steno

/// Remembers the languages in which sessions of an engine failed, so that the next session falls back to another
/// engine.
///
/// Each of the system's engines has one for the whole app; tests create their own.
package final class FailureMemory: Sendable {
    private let reasons = Monitor<[String?: String]>([:])

    /// Begins without a failure.
    package init() {}

    /// Records that a session failed; other languages are not affected.
    package func remember(_ error: any Error, for request: EngineRequest) {
        reasons.update { $0[Self.key(request)] = "\(error)" }
    }

    /// Reports the engine as unavailable if a session in the language of a request failed; otherwise nil.
    package func capability(for request: EngineRequest) -> EngineCapability? {
        reasons.read { $0[Self.key(request)] }.map {
            .unavailable(reason: "It failed earlier, and is not tried again until the app is restarted: \($0)")
        }
    }

    /// The same key for `de-AT` and `de_AT`.
    private static func key(_ request: EngineRequest) -> String? { request.locale?.identifier(.bcp47) }
}
