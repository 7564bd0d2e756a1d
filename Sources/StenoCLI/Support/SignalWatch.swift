import Dispatch
import Foundation

/// Stops the work on SIGINT and SIGTERM.
///
/// The engine stops within a token, but a read from a silent pipe may never return; so the program exits one second
/// after the first signal in any case, and at once on the second. Finished files are complete either way.
final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    init(stopper: Stopper) {
        // Makes a write to a closed pipe an error that can be handled, where SIGPIPE would end the process.
        signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "steno.signals")
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if stopper.reason != nil { _exit(128 + number) }
                stopper.stop(.signal(number))
                // Work that finishes gracefully takes the time it needs; a second signal still stops it.
                guard stopper.reason != nil else { return }
                queue.asyncAfter(deadline: .now() + 1) { _exit(128 + number) }
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
