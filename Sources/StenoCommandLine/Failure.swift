package import ArgumentParser
import Foundation
import Steno

extension Error {
    /// The message shown to the user.
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
