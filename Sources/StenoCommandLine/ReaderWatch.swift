import Foundation
import Steno

/// Notices that nobody reads standard output any more, also while nothing is written: a program that computes for hours
/// between two lines would otherwise compute them for nobody.
package final class ReaderWatch: Sendable {
    private let interruption: Interruption

    /// Watches a pipe or a socket; nil for other outputs, which have no reader.
    ///
    /// - Parameter onLeave: Called once, on a thread of its own.
    package init?(_ descriptor: Int32 = STDOUT_FILENO, onLeave: @escaping @Sendable () -> Void) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT),
            let interruption = try? Interruption()
        else { return nil }
        self.interruption = interruption
        let thread = Thread {
            guard (try? interruption.waitUntilAbandoned(descriptor)) != nil else { return }
            onLeave()
        }
        thread.name = "steno.reader-watch"
        thread.stackSize = 1 << 18
        thread.start()
    }

    package func end() { interruption.interrupt() }
}
