import ArgumentParser
import Foundation

/// Stops the command's work on a signal, or when its output no longer has a reader.
///
/// Work that can finish gracefully is first asked to; the next signal cancels it.
///
/// `@unchecked Sendable`: the stored values are accessed only while `lock` is held, and actions run outside it.
package final class Stopper: @unchecked Sendable {
    package enum Reason: Equatable, Sendable {
        case signal(Int32)
        case readerLeft
        case outputFailed(Int32)
    }

    package enum Phase: Equatable, Sendable {
        case running
        /// The work was asked to finish, and takes the time it needs.
        case ending(Reason)
        case cancelled(Reason)
    }

    private let lock = NSLock()
    private var cancelWork: (@Sendable () -> Void)?
    private var endGently: (@Sendable () -> Void)?
    private var isGentle: @Sendable (Reason) -> Bool = { _ in true }
    private var saveWork: (@Sendable () -> Void)?
    private var current = Phase.running

    package init() {}

    package var phase: Phase { lock.withLock { current } }

    /// Sets how the work is cancelled; cancels at once if that was already requested.
    package func attach(_ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = lock.withLock {
            cancelWork = cancel
            if case .cancelled = current { return true }
            return false
        }
        if isCancelled { cancel() }
    }

    /// Sets an action that replaces cancelling on the first stop, for work that can finish gracefully.
    ///
    /// - Parameter isGentle: The reasons for which it does; any other cancels.
    package func endGently(
        on isGentle: @escaping @Sendable (Reason) -> Bool = { _ in true }, _ end: @escaping @Sendable () -> Void
    ) {
        lock.withLock { (self.isGentle, endGently) = (isGentle, end) }
    }

    /// Sets how unfinished work is saved if the program must exit before the cancelled work has ended; nil discards it.
    package func saveBeforeExit(_ save: (@Sendable () -> Void)?) { lock.withLock { saveWork = save } }

    package func save() { lock.withLock { saveWork }?() }

    /// Stops the work.
    ///
    /// - Returns: Whether this call changed anything; false if the stop was already requested, or if output fails while
    ///   the work is finishing.
    @discardableResult
    package func stop(_ reason: Reason) -> Bool {
        let action = lock.withLock { next(reason) }
        action?()
        return action != nil
    }

    /// Moves to the next phase; returns the action to run.
    private func next(_ reason: Reason) -> (@Sendable () -> Void)? {
        switch (current, endGently, reason) {
        case (.running, let end?, _) where isGentle(reason):
            current = .ending(reason)
            return end
        case (.running, _, _), (.ending, _, .signal),
            (.ending, _, _) where !isGentle(reason):
            current = .cancelled(reason)
            return cancelWork ?? {}
        case (.ending, _, _), (.cancelled, _, _): return nil
        }
    }
}

/// Runs a command's work so that it can be interrupted, and ends with the exit code for its outcome.
package enum CommandRun {
    /// Runs `work`, which returns its exit code.
    package static func run(_ work: @escaping @Sendable (Console) async throws -> Int32) async throws {
        let stopper = Stopper()
        let console = Console(stopper: stopper)
        let watch = SignalWatch(stopper: stopper)
        let task = Task { try await work(console) }
        stopper.attach { task.cancel() }
        let result = await task.result
        console.clearProgress()
        // Signals are still handled here: a reader that stopped reading must not keep the command alive.
        await console.written()
        withExtendedLifetime(watch) {}
        try finish(result, stopper.phase)
    }

    private static func finish(_ result: Result<Int32, any Error>, _ phase: Stopper.Phase) throws {
        switch phase {
        case .cancelled(.signal(let number)): throw ExitCode(128 + number)
        case .cancelled(.readerLeft): return
        case .cancelled(.outputFailed(let number)), .ending(.outputFailed(let number)):
            StandardStream.error.write(TerminalText.message("standard output: \(String(cString: strerror(number)))"))
            throw ExitCode.failure
        case .running, .ending(.signal), .ending(.readerLeft):
            let code = try code(of: result)
            if code != 0 { throw ExitCode(code) }
        }
    }

    /// The exit code; an error is reported.
    private static func code(of result: Result<Int32, any Error>) throws -> Int32 {
        switch result {
        case .success(let code): return code
        case .failure(let code as ExitCode): throw code
        case .failure(let error):
            StandardStream.error.write(TerminalText.message(error.sentence))
            return error.exitCode
        }
    }
}
