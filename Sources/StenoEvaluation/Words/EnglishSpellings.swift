import Foundation
import StenoCore

/// British spellings and their American ones: openai-whisper's table, read once when first needed.
struct EnglishSpellings: Sendable {
    private let american: [String: String]

    static let shared = Result { try EnglishSpellings() }.mapError { error -> any Error in error }

    /// Apple's bundles are found by a class that was linked into them.
    private final class Anchor {}

    private init() throws {
        guard
            let file = ResourceFolder(bundle: "Steno_StenoEvaluation", of: Anchor.self).url(
                "evaluation/english-spellings.json"),
            let table = try? JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
        else {
            throw StenoError(
                .resourceMissing,
                "The table of English spellings, which comes with Steno, is missing or damaged. Install Steno again.")
        }
        american = table
    }

    /// Every word in its American spelling, with one space between words.
    func americanize(_ text: CodePoints) -> String {
        text.words().map { american[$0] ?? $0 }.joined(separator: " ")
    }
}
