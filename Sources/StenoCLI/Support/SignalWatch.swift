import Dispatch
import Foundation

/// Turns Ctrl-C and a polite request to end into a stop of the work.
///
/// The engine stops within a token, but a read from a silent pipe may never return; so the program ends a second after
/// the first signal in any case, and at once at the second. Finished files are whole in all cases.
final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    init(stopper: Stopper) {
        // A write to a pipe that nobody reads shall be an error that can be handled, not the end.
        signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "steno.signals")
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if stopper.reason != nil { _exit(128 + number) }
                stopper.stop(.signal(number))
                // Work that ends gently takes the time it needs; a second signal still stops it.
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
