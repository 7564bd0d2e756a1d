import Foundation
import Steno

/// Hands the elements that a task produces to a thread that waits for them.
///
/// `@unchecked Sendable`: the condition guards the stored values.
final class EventQueue<Element: Sendable>: @unchecked Sendable {
    enum Reading {
        case element(Element)
        case timedOut
        case end
    }

    private let condition = NSCondition()
    private var waiting = FIFO<Element>()
    private var ending: Result<Void, any Error>?

    func put(_ element: Element) {
        condition.withLock {
            waiting.append(element)
            condition.signal()
        }
    }

    /// Ends the queue after the elements so far; only the first end counts.
    func end(_ result: Result<Void, any Error>) {
        condition.withLock {
            ending = ending ?? result
            condition.broadcast()
        }
    }

    func cancel() {
        condition.withLock {
            if ending == nil {
                waiting = FIFO()
                ending = .failure(CancellationError())
            }
            condition.broadcast()
        }
    }

    /// Waits for the next element, at most for some seconds; negative waits without limit.
    ///
    /// - Throws: The error that ended the queue, after the last element.
    func next(_ seconds: Double) throws -> Reading {
        let limit = seconds >= 0 ? Date(timeIntervalSinceNow: min(seconds, 1e8)) : nil
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let element = waiting.popFirst() { return .element(element) }
            if let ending {
                try ending.get()
                return .end
            }
            if let limit {
                guard condition.wait(until: limit) || !waiting.isEmpty || ending != nil else { return .timedOut }
            } else {
                condition.wait()
            }
        }
    }
}
