import StenoCore

/// A gate that tasks wait at without blocking a thread.
package final class AsyncGate: Sendable {
    private let isOpen = Monitor(false)

    package init() {}

    /// Lets every task pass, now and later.
    package func open() { isOpen.update { $0 = true } }

    package func wait() async {
        await isOpen.value { isOpen -> Void? in isOpen ? () : nil }
    }
}
