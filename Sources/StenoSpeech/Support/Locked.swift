import Foundation

/// A value that several threads read and write.
///
/// `Mutex` of the standard library needs later systems than this package supports.
final class Locked<Value: Sendable>: @unchecked Sendable {
    // Sendable: the value is accessed under the lock.
    private let lock = NSLock()
    private var stored: Value

    init(_ value: Value) { stored = value }

    var value: Value {
        get { lock.withLock { stored } }
        set { lock.withLock { stored = newValue } }
    }

    func withLock<Outcome>(_ body: (inout Value) throws -> Outcome) rethrows -> Outcome {
        try lock.withLock { try body(&stored) }
    }
}
