import Foundation

/// Values from any thread, in the order they came.
package final class Recorder<Value: Sendable>: @unchecked Sendable {
    // Sendable: accessed under the lock.
    private let lock = NSLock()
    private var values: [Value] = []

    package init() {}

    package var all: [Value] { lock.withLock { values } }
    package func add(_ value: Value) { lock.withLock { values.append(value) } }
    package func removeAll() { lock.withLock { values = [] } }
}
