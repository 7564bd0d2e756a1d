import Dispatch
import Foundation

/// What the command shows: text on standard output, notes and a progress line on standard error.
///
/// Nothing here waits: a reader that is slow, or a terminal that was stopped, would else hold up the threads of Swift's
/// pool or of the engine. The text waits on a queue of its own instead, in the order of the calls; `written()` waits
/// for it.
///
/// `@unchecked Sendable`: the stored values that change are touched on `queue` alone.
final class Console: @unchecked Sendable {
    /// Writes text to a stream; returns the error number when that fails.
    typealias Writer = @Sendable (StandardStream, String) -> Int32?

    private let queue = DispatchQueue(label: "steno.console")
    private let stopper: Stopper
    private let showsProgress: Bool
    private let write: Writer
    private var isVerbose = false
    private var logsProgress = false
    private var hasProgress = false

    init(
        stopper: Stopper, showsProgress: Bool = StandardStream.error.isTerminal,
        write: @escaping Writer = { $0.write($1) }
    ) {
        self.stopper = stopper
        self.showsProgress = showsProgress
        self.write = write
    }

    /// Names what the first Ctrl-C does instead of stopping the work.
    func endGently(_ end: @escaping @Sendable () -> Void) { stopper.endGently(end) }

    func enableVerbose() { queue.async { self.isVerbose = true } }

    /// Writes progress as lines where no terminal shows it.
    func enableProgressLog() { queue.async { self.logsProgress = !self.showsProgress } }

    /// Writes to standard output; when that is gone, the work is stopped, since nobody would see the rest.
    func print(_ text: String) {
        queue.async { [self] in
            eraseProgress()
            guard let number = write(.output, text) else { return }
            stopper.stop(number == EPIPE ? .readerLeft : .outputFailed(number))
        }
    }

    /// Says on standard error what `--verbose` asks for.
    func verbose(_ text: String) {
        queue.async { [self] in
            guard isVerbose else { return }
            note(text + "\n")
        }
    }

    /// Says on standard error what went wrong with what.
    func fail(_ subject: String, _ error: any Error) {
        queue.async { self.note("steno: \(subject): \(error.sentence)\n") }
    }

    /// Shows a line on a terminal in place of the last one; pipes and files get it only when that was asked for.
    func showProgress(_ line: String) {
        queue.async { [self] in
            if logsProgress { _ = write(.error, line + "\n") }
            guard showsProgress else { return }
            note(line)
            hasProgress = true
        }
    }

    /// Takes the progress line away.
    func clearProgress() { queue.async { self.eraseProgress() } }

    /// Waits, without blocking a thread, until everything is written that was said before the call.
    func written() async {
        await withCheckedContinuation { waiting in queue.async { waiting.resume() } }
    }

    /// Writes to standard error in place of the progress line.
    private func note(_ text: String) {
        eraseProgress()
        _ = write(.error, text)
    }

    private func eraseProgress() {
        guard hasProgress else { return }
        // Back to the line's start, then clear to its end (ECMA-48).
        _ = write(.error, "\r\u{1B}[K")
        hasProgress = false
    }
}
