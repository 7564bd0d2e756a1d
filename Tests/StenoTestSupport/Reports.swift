import Foundation

/// Sentences from several threads.
package final class Reports: @unchecked Sendable {
    // Sendable: accessed under the lock.
    private let lock = NSLock()
    private var sentences: [String] = []

    package init() {}

    package var all: [String] { lock.withLock { sentences } }
    package func add(_ sentence: String) { lock.withLock { sentences.append(sentence) } }
}
