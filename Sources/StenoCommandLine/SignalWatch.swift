import Dispatch
import Foundation
import Steno

/// Stops the work on SIGINT, SIGTERM and SIGHUP (the terminal was closed).
///
/// Work that can finish gracefully does so on the first signal, and is cancelled by the second. Cancelled work stops
/// within a token, but a read from a silent pipe may never return. So a second after the cancellation the program saves
/// what was decoded and exits: within three seconds, and immediately on the next signal. Finished files are complete
/// either way.
package final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    package init(stopper: Stopper) {
        // So that writing to a closed pipe is an error to handle, instead of SIGPIPE ending the process. Likewise,
        // exceeding the file size limit then fails like a full disk.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        // Ignoring it is inherited, such as from a daemon; then the system keeps no exit status of ffmpeg.
        signal(SIGCHLD, SIG_DFL)
        // Otherwise Swift's runtime would print a backtrace and continue.
        signal(SIGQUIT, SIG_DFL)
        let queue = DispatchQueue(label: "steno.signals")
        sources = Self.watched.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                guard stopper.stop(.signal(number)) else { _exit(128 + number) }
                // Work that finishes gracefully takes the time it needs.
                guard case .cancelled = stopper.phase else { return }
                // Not on the signal queue: writing may block, and the next signal must still be handled.
                DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
                    stopper.save()
                    _exit(128 + number)
                }
                queue.asyncAfter(deadline: .now() + 3) { _exit(128 + number) }
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Users who start the program with `nohup` want it to outlive the terminal.
    private static var watched: [Int32] {
        var current = sigaction()
        let isIgnored = sigaction(SIGHUP, nil, &current) == 0 && current.isIgnored
        return isIgnored ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    }
}

extension sigaction {
    fileprivate var isIgnored: Bool {
        #if os(Linux)
            unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        #else
            unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        #endif
    }
}

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
