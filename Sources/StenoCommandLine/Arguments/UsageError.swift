import Foundation

/// A mistake in the command line, in one or two sentences that say what to write instead.
package struct UsageError: Error, Equatable {
    package let message: String

    package init(_ message: String) { self.message = message }
}

extension UsageError: LocalizedError {
    package var errorDescription: String? { message }
}

/// The user asked for help.
enum HelpRequest: Error, Equatable {
    /// The most used options.
    case short
    /// Every option.
    case all

    /// The request that a word makes; nil if it does not ask for help.
    init?(_ word: String) {
        switch word {
        case "-h", "-?", "-help", "--help": self = .short
        case "--help-all", "--help-hidden": self = .all
        default: return nil
        }
    }
}
