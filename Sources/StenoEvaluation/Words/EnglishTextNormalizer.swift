import Foundation
import StenoCore

/// The normaliser for English, equal to openai-whisper's `EnglishTextNormalizer` (version 20250625).
///
/// Beyond what ``BasicTextNormalizer`` does, it removes `uh` and the like, expands contractions and titles, and writes
/// numbers as digits and British spellings as American ones. Known quirks are kept, so that error rates can be
/// compared with published ones: `'s` is always *is*, and *first of May* becomes *1st of may*.
public struct EnglishTextNormalizer: TextNormalizer {
    private let spellings: EnglishSpellings

    /// Creates the normaliser.
    ///
    /// - Throws: `StenoError` `resourceMissing` when the bundled table of spellings is missing.
    public init() throws { spellings = try EnglishSpellings.shared.get() }

    /// The normalised text.
    public func normalize(_ text: String) -> String {
        let spoken = CodePoints(text).lowercased().removingBrackets().removingParentheses().removingFillers()
        let written = EnglishContractions.expand(spoken.removingSpaceBeforeApostrophes())
            .removingCommasInNumbers().removingFullStops()
            .removingSymbolsAndDiacritics(keep: [".", "%", "$", "¢", "€", "£"])
        let counted = EnglishNumberNormalizer().normalize(written)
        return CodePoints(spellings.americanize(counted)).removingLoneSigns().collapsingSpace().string
    }
}

extension [Unicode.Scalar] {
    private static let fillers = Set(["hmm", "mm", "mhm", "mmm", "uh", "um"].map { CodePoints($0) })

    fileprivate func removingFillers() -> CodePoints {
        var result = CodePoints()
        var index = 0
        while index < count {
            let end = end(of: \.isWordPart, from: index)
            let word = CodePoints(self[index..<end])
            if !Self.fillers.contains(word) { result += word }
            index = end
            if index < count {
                result.append(self[index])
                index += 1
            }
        }
        return result
    }

    /// `it 's` becomes `it's`.
    fileprivate func removingSpaceBeforeApostrophes() -> CodePoints {
        var result = CodePoints()
        for scalar in self {
            if scalar == "'" { while result.last?.isSpace == true { result.removeLast() } }
            result.append(scalar)
        }
        return result
    }

    /// Removes commas from numbers: 1,234 becomes 1234.
    ///
    /// A digit belongs to one comma only, as in the original, so 1,2,3 becomes 12,3.
    fileprivate func removingCommasInNumbers() -> CodePoints {
        replacing { index in
            guard index + 2 < count, self[index].isDigit, self[index + 1] == ",", self[index + 2].isDigit else {
                return nil
            }
            return (3, [self[index], self[index + 2]])
        }
    }

    /// Replaces full stops with spaces; decimal points stay.
    fileprivate func removingFullStops() -> CodePoints {
        replacing { index in
            guard self[index] == "." else { return nil }
            guard index + 1 < count else { return (1, [" "]) }
            return self[index + 1].isASCIIDigit ? nil : (2, [" ", self[index + 1]])
        }
    }

    /// Removes currency signs without a number after them, then per cent signs without a number before them.
    fileprivate func removingLoneSigns() -> CodePoints {
        let money: Set<Unicode.Scalar> = [".", "$", "¢", "€", "£"]
        let withMoney = replacing { index in
            guard money.contains(self[index]), index + 1 < count, !self[index + 1].isASCIIDigit else { return nil }
            return (2, [" ", self[index + 1]])
        }
        return withMoney.replacing { index in
            guard !withMoney[index].isASCIIDigit, index + 1 < withMoney.count, withMoney[index + 1] == "%" else {
                return nil
            }
            return (2, [withMoney[index], " "])
        }
    }

    /// Replaces matches from left to right; `match` returns the number of code points to replace, and the replacement.
    func replacing(_ match: (Int) -> (length: Int, by: CodePoints)?) -> CodePoints {
        var result = CodePoints()
        result.reserveCapacity(count)
        var index = 0
        while index < count {
            if let found = match(index) {
                result += found.by
                index += found.length
            } else {
                result.append(self[index])
                index += 1
            }
        }
        return result
    }
}

/// Expands contractions and titles, one rule after another, in openai-whisper's order.
enum EnglishContractions {
    private struct Rule {
        let short: CodePoints
        let long: CodePoints
        /// Whether the short form must begin a word.
        let beginsWord: Bool

        init(_ short: String, _ long: String, beginsWord: Bool = true) {
            self.short = CodePoints(short)
            self.long = CodePoints(long)
            self.beginsWord = beginsWord
        }
    }

    static func expand(_ text: CodePoints) -> CodePoints { rules.reduce(text, apply) }

    private static func apply(_ text: CodePoints, _ rule: Rule) -> CodePoints {
        text.replacing { index in
            guard text[index] == rule.short[0], text.stands(rule.short, at: index),
                text.isBoundary(index + rule.short.count), !rule.beginsWord || text.isBoundary(index)
            else { return nil }
            return (rule.short.count, rule.long)
        }
    }

    private static let rules = words + titles + perfectTenses + endings

    private static let words = [
        Rule("won't", "will not"), Rule("can't", "can not"), Rule("let's", "let us"), Rule("ain't", "aint"),
        Rule("y'all", "you all"), Rule("wanna", "want to"), Rule("gotta", "got to"), Rule("gonna", "going to"),
        Rule("i'ma", "i am going to"), Rule("imma", "i am going to"), Rule("woulda", "would have"),
        Rule("coulda", "could have"), Rule("shoulda", "should have"), Rule("ma'am", "madam"),
    ]

    /// The space after a title is left by its full stop.
    private static let titles = [
        ("mr", "mister"), ("mrs", "missus"), ("st", "saint"), ("dr", "doctor"), ("prof", "professor"),
        ("capt", "captain"), ("gov", "governor"), ("ald", "alderman"), ("gen", "general"), ("sen", "senator"),
        ("rep", "representative"), ("pres", "president"), ("rev", "reverend"), ("hon", "honorable"),
        ("asst", "assistant"), ("assoc", "associate"), ("lt", "lieutenant"), ("col", "colonel"), ("jr", "junior"),
        ("sr", "senior"), ("esq", "esquire"),
    ].map { Rule($0.0, $0.1 + " ") }

    private static let perfectTenses = [
        ("'d been", " had been"), ("'s been", " has been"), ("'d gone", " had gone"), ("'s gone", " has gone"),
        ("'d done", " had done"), ("'s got", " has got"),
    ].map { Rule($0.0, $0.1, beginsWord: false) }

    private static let endings = [
        ("n't", " not"), ("'re", " are"), ("'s", " is"), ("'d", " would"), ("'ll", " will"), ("'t", " not"),
        ("'ve", " have"), ("'m", " am"),
    ].map { Rule($0.0, $0.1, beginsWord: false) }
}

/// British spellings and their American equivalents: openai-whisper's table, read once when first needed.
struct EnglishSpellings: Sendable {
    private let american: [String: String]

    static let shared = Result { try EnglishSpellings() }.mapError { error -> any Error in error }

    /// On Apple platforms, bundles are found through a class linked into them.
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

    /// The text with every word in its American spelling, and one space between words.
    func americanize(_ text: CodePoints) -> String { text.words().map { american[$0] ?? $0 }.joined(separator: " ") }
}
