import Dispatch
package import Foundation

/// The command's output: text on standard output, messages and a progress line on standard error.
///
/// Only ``printNow(_:)`` blocks: otherwise a slow reader or a stopped terminal would block threads of Swift's pool or
/// of the engine. A queue writes text in the order of the calls; `written()` waits for it.
///
/// `@unchecked Sendable`: mutable state is accessed only on `queue`.
package final class Console: @unchecked Sendable {
    /// Writes text to a stream; returns the error number on failure.
    package typealias Writer = @Sendable (StandardStream, String) -> Int32?

    private let queue = DispatchQueue(label: "steno.console")
    private let stopper: Stopper
    private let showsProgress: Bool
    private let outputIsTerminal: Bool
    private let columns: Int?
    private let write: Writer
    private var isVerbose = false
    private var isQuiet = false
    private var logsProgress = false
    private var hasProgress = false
    private var outputHasFailed = false

    /// - Parameter columns: The width of the progress line; nil for the terminal's width.
    package init(
        stopper: Stopper, showsProgress: Bool = StandardStream.error.canErase,
        outputIsTerminal: Bool = StandardStream.output.isTerminal, columns: Int? = nil,
        write: @escaping Writer = { $0.write($1) }
    ) {
        self.stopper = stopper
        self.showsProgress = showsProgress
        self.outputIsTerminal = outputIsTerminal
        self.columns = columns
        self.write = write
    }

    /// Sets an action that replaces cancelling on the first signal, or when standard output is closed.
    ///
    /// - Parameter isGentle: The reasons for which it does; any other cancels.
    package func endGently(
        on isGentle: @escaping @Sendable (Stopper.Reason) -> Bool = { _ in true },
        _ end: @escaping @Sendable () -> Void
    ) {
        stopper.endGently(on: isGentle, end)
    }

    /// Stops the work as soon as standard output has no reader, not only at the next write; nil if that cannot be
    /// detected.
    package func watchReader() -> ReaderWatch? { ReaderWatch { [stopper] in stopper.stop(.readerLeft) } }

    /// The signal that asked the work to finish; nil if there was none.
    package var endingSignal: Int32? {
        if case .ending(.signal(let number)) = stopper.phase { return number }
        return nil
    }

    /// Sets how unfinished work is saved if the program exits before the cancelled work has ended.
    package func saveBeforeExit(_ save: (@Sendable () -> Void)?) {
        guard let save else { return stopper.saveBeforeExit(nil) }
        stopper.saveBeforeExit { [queue] in
            save()
            queue.sync {}
        }
    }

    package func enableVerbose() { queue.async { self.isVerbose = true } }

    /// Suppresses progress and notes.
    package func enableQuiet() { queue.async { self.isQuiet = true } }

    /// Whether a signal has stopped the work.
    package var isInterrupted: Bool {
        if case .cancelled(.signal) = stopper.phase { return true }
        return false
    }

    /// Writes progress as lines if standard error is not a terminal.
    package func enableProgressLog() { queue.async { self.logsProgress = !self.showsProgress } }

    /// Writes to standard output; if that is closed, the work is stopped, because nobody would read the rest.
    ///
    /// After a failure nothing more is written: truncated text is better than text with a hole in it. A terminal gets it
    /// without control characters other than line breaks and tabs, since a model can write anything; a program gets the
    /// text as it is.
    package func print(_ text: String) { draw(outputIsTerminal ? TerminalText.lines(text) : text) }

    /// Writes text with commands for the terminal to standard output, like ``print(_:)``.
    package func draw(_ text: String) {
        queue.async { [self] in
            guard !outputHasFailed else { return }
            eraseProgress()
            guard let number = write(.output, text) else { return }
            outputHasFailed = true
            stopper.stop(number == EPIPE ? .readerLeft : .outputFailed(number))
        }
    }

    /// Writes to standard output like ``print(_:)``, and waits until the text is written.
    ///
    /// It blocks as long as the reader is slow, so that text does not pile up; use it only on threads that may block.
    package func printNow(_ text: String) {
        print(text)
        queue.sync {}
    }

    /// Writes a message to standard error with `--verbose`.
    package func verbose(_ text: String) {
        queue.async { [self] in
            guard isVerbose else { return }
            note(TerminalText.line(text) + "\n")
        }
    }

    /// Writes an error about `subject` to standard error.
    package func fail(_ subject: String, _ error: any Error) {
        queue.async { self.note(TerminalText.message("\(subject): \(error.sentence)")) }
    }

    /// Writes a warning or an error in one sentence to standard error.
    package func warn(_ sentence: String) { queue.async { self.note(TerminalText.message(sentence)) } }

    /// Writes a note for the user, in one sentence, to standard error, unless `--quiet` was given.
    package func remark(_ sentence: String) {
        queue.async { [self] in
            if !isQuiet { note(TerminalText.message(sentence)) }
        }
    }

    /// Writes a question to standard error; the answer follows on the same line.
    package func ask(_ question: String) { queue.async { self.note(TerminalText.line(question)) } }

    /// Replaces the progress line of a terminal; pipes and files receive it only with `--log-progress`.
    ///
    /// - Parameter line: Evaluated only if it is shown.
    package func showProgress(_ line: @autoclosure @escaping @Sendable () -> String) {
        queue.async { [self] in
            guard !isQuiet, logsProgress || showsProgress else { return }
            let line = TerminalText.line(line())
            if logsProgress { _ = write(.error, line + "\n") }
            guard showsProgress else { return }
            // A line that wraps cannot be erased.
            note(line.prefix(columns: (columns ?? StandardStream.error.columns) - 1))
            hasProgress = true
        }
    }

    package func clearProgress() { queue.async { self.eraseProgress() } }

    /// Waits, without blocking a thread, until everything passed in before the call is written.
    package func written() async { await withCheckedContinuation { waiting in queue.async { waiting.resume() } } }

    /// Writes to standard error, replacing the progress line.
    private func note(_ text: String) {
        eraseProgress()
        _ = write(.error, text)
    }

    private func eraseProgress() {
        guard hasProgress else { return }
        // Back to the start of the line, then clear to its end (ECMA-48).
        _ = write(.error, "\r\u{1B}[K")
        hasProgress = false
    }
}

/// The progress line of a file, with the estimated time left.
package struct ProgressEstimate: Sendable {
    package let name: String
    package let start: Date

    package init(name: String, start: Date) {
        self.name = name
        self.start = start
    }

    /// The line after `processed` seconds; without a known total it shows only `processed`.
    package func line(processed: Double, total: Double?, now: Date) -> String {
        let head = name.count > 32 ? String(name.prefix(31)) + "…" : name
        guard let total, total > 0 else { return "\(head)  \(Self.clock(processed))" }
        let done = min(1, max(0, processed / total))
        let percent = "\(Int(done * 100)) %"
        let place = "\(Self.clock(processed)) of \(Self.clock(total))"
        return ["\(head)", percent, place, timeLeft(done: done, now: now)].compactMap { $0 }.joined(separator: "  ")
    }

    /// Assumes that the rest is processed at the average speed so far.
    private func timeLeft(done: Double, now: Date) -> String? {
        let elapsed = now.timeIntervalSince(start)
        guard done > 0, done < 1, elapsed >= 0.5 else { return nil }
        return "\(Self.clock(elapsed / done * (1 - done))) left"
    }

    /// Seconds as `m:ss` or `h:mm:ss`.
    package static func clock(_ seconds: Double) -> String {
        let whole = Int(exactly: max(0, seconds).rounded()) ?? 0
        let (hours, rest) = whole.quotientAndRemainder(dividingBy: 3600)
        let clock = hours > 0 ? String(format: "%d:%02d", hours, rest / 60) : "\(rest / 60)"
        return clock + String(format: ":%02d", rest % 60)
    }
}
