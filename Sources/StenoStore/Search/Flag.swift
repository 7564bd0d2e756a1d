import Foundation

/// A value that becomes true once.
final class Flag: @unchecked Sendable {
    // Sendable: the value is accessed under the lock.
    private let lock = NSLock()
    private var isSet = false

    var value: Bool { lock.withLock { isSet } }

    func set() { lock.withLock { isSet = true } }
}
