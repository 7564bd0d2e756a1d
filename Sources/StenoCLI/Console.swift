import Foundation

/// What the command shows: text on standard output, notes and a progress line on standard error.
///
/// Events come from the engine's threads; the lock guards the stored values and keeps the lines whole.
final class Console: @unchecked Sendable {
    private let lock = NSLock()
    private let stopper: Stopper
    private let showsProgress = StandardStream.error.isTerminal
    private var isVerbose = false
    private var logsProgress = false
    private var hasProgress = false

    init(stopper: Stopper) { self.stopper = stopper }

    /// Names what the first Ctrl-C does instead of stopping the work.
    func endGently(_ end: @escaping @Sendable () -> Void) { stopper.endGently(end) }

    func enableVerbose() { lock.withLock { isVerbose = true } }

    /// Writes progress as lines where no terminal shows it.
    func enableProgressLog() { lock.withLock { logsProgress = !showsProgress } }

    /// Writes to standard output; when that is gone, the work is stopped, since nobody would see the rest.
    func print(_ text: String) {
        lock.withLock {
            eraseProgress()
            guard let number = StandardStream.output.write(text) else { return }
            stopper.stop(number == EPIPE ? .readerLeft : .outputFailed(number))
        }
    }

    /// Says on standard error what `--verbose` asks for.
    func verbose(_ text: String) {
        lock.withLock {
            guard isVerbose else { return }
            eraseProgress()
            StandardStream.error.write(text + "\n")
        }
    }

    /// Says on standard error what went wrong with what.
    func fail(_ subject: String, _ error: any Error) {
        lock.withLock {
            eraseProgress()
            StandardStream.error.write("steno: \(subject): \(error.sentence)\n")
        }
    }

    /// Shows a line on a terminal in place of the last one; pipes and files get it only when that was asked for.
    func showProgress(_ line: String) {
        lock.withLock {
            if logsProgress { StandardStream.error.write(line + "\n") }
            guard showsProgress else { return }
            eraseProgress()
            StandardStream.error.write(line)
            hasProgress = true
        }
    }

    /// Takes the progress line away.
    func clearProgress() { lock.withLock { eraseProgress() } }

    private func eraseProgress() {
        guard hasProgress else { return }
        // Back to the line's start, then clear to its end (ECMA-48).
        StandardStream.error.write("\r\u{1B}[K")
        hasProgress = false
    }
}
