import Foundation

/// A command line that cannot be carried out: one or two sentences that say what to write instead.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }
}

extension UsageError: LocalizedError {
    var errorDescription: String? { message }
}

/// The user asked for the help.
enum HelpRequest: Error, Equatable {
    /// The options used most.
    case short
    /// Every option.
    case all

    /// The request that a word is; nil when it is none.
    init?(_ word: String) {
        switch word {
        case "-h", "-?", "-help", "--help": self = .short
        case "--help-all", "--help-hidden": self = .all
        default: return nil
        }
    }
}
