package import ArgumentParser
import Foundation
import Steno

extension Error {
    package var sentence: String {
        switch self {
        case let error as StenoError: error.message
        default: localizedDescription
        }
    }

    /// The command's exit code: 64 for wrong arguments, 66 for a model that is not on this machine or not
    /// supported, 1 for everything else.
    package var exitCode: Int32 {
        switch (self as? StenoError)?.code {
        case .invalidOption, .unknownLanguage: ExitCode.validationFailure.rawValue
        case .modelNotFound, .modelUnsupported: EX_NOINPUT
        default: ExitCode.failure.rawValue
        }
    }
}

extension ParsableCommand {
    /// Runs a check of the arguments; an error is reported in one sentence and ends the command.
    package static func checkingArguments<Value>(_ check: () throws -> Value) throws -> Value {
        do {
            return try check()
        } catch {
            StandardStream.error.write(TerminalText.message(error.sentence))
            throw ExitCode(error.exitCode)
        }
    }
}

/// Reports errors of the argument parser: the program's name, then one or two sentences.
package struct ParserReport {
    private let root: any ParsableCommand.Type

    /// - Parameter root: The root command, for the help texts.
    package init(root: any ParsableCommand.Type) { self.root = root }

    /// Writes the error that ended a command to standard error, or requested output, such as the version, to standard
    /// output; returns the exit code.
    package func report(_ error: any Error) -> Int32 {
        if let code = error as? ExitCode { return code.rawValue }
        let code = root.exitCode(for: error)
        if code.isSuccess {
            // The version, a completion script.
            StandardStream.output.write(root.fullMessage(for: error) + "\n")
        } else {
            StandardStream.error.write(TerminalText.message(sentence(error)))
        }
        return code.rawValue
    }

    /// The parser's message on one line; for an invalid value, followed by the option's help.
    private func sentence(_ error: any Error) -> String {
        let lines = root.message(for: error).split(separator: "\n")
        if lines.count > 1, lines.dropFirst().allSatisfy({ $0.hasPrefix("  - ") }) {
            return lines[0] + " " + lines.dropFirst().map { $0.dropFirst(4) }.joined(separator: ", ") + "."
        }
        let message = lines.joined(separator: " ")
        if message.contains("Please provide one of") { return message }
        let help = root.fullMessage(for: error, columns: 10_000).split(separator: "\n")
            .first { $0.hasPrefix("Help:") }
        guard message.contains("is invalid for"), let text = help?.split(separator: "  ").last else { return message }
        return message + (message.hasSuffix(".") ? " " : ". ") + text.trimmingPrefix { $0 == " " }
    }
}
