import Foundation
import Steno

/// Detects that standard output no longer has a reader, even while nothing is written, so that the program does not
/// compute for hours in vain.
package final class ReaderWatch: Sendable {
    private let interruption: Interruption

    /// Watches a pipe or a socket; nil for other outputs, which have no reader.
    ///
    /// - Parameter onLeave: Called once, on its own thread.
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
