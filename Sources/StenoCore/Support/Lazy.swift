import Foundation

/// A value computed on first access, by whichever thread accesses it first.
///
/// Unchecked, because the compiler cannot see that `state` is only accessed while `lock` is held; `Value` itself is
/// `Sendable`, so returning it is safe.
package final class Lazy<Value: Sendable>: @unchecked Sendable {
    private enum State {
        case waiting(@Sendable () -> Value)
        case made(Value)
    }

    private let lock = NSLock()
    private var state: State

    package init(_ make: @escaping @Sendable () -> Value) { state = .waiting(make) }

    package var value: Value {
        lock.lock()
        defer { lock.unlock() }
        switch state {
        case .made(let value): return value
        case .waiting(let make):
            let value = make()
            state = .made(value)
            return value
        }
    }
}
