import ArgumentParser
import Foundation

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
