import ArgumentParser
import Foundation
import Steno

extension Error {
    /// The sentence for people.
    var sentence: String {
        switch self {
        case let error as StenoError: error.message
        default: localizedDescription
        }
    }

    /// What the command exits with: 64 when the arguments were wrong, 1 when something else was.
    var exitCode: Int32 {
        let isArgument =
            switch self {
            case let error as StenoError: [.invalidOption, .unknownLanguage].contains(error.code)
            default: false
            }
        return isArgument ? ExitCode.validationFailure.rawValue : ExitCode.failure.rawValue
    }
}

extension ParsableCommand {
    /// Runs a check that comes before the work; what it finds is said in one sentence.
    static func checkingArguments<Value>(_ check: () throws -> Value) throws -> Value {
        do {
            return try check()
        } catch {
            StandardStream.error.write("steno: \(error.sentence)\n")
            throw ExitCode(error.exitCode)
        }
    }
}
