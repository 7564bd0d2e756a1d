import Steno

/// The difference between two results on the same files.
public struct EvaluationComparison: Sendable, Hashable {
    /// The figures of one metric.
    public struct Difference: Sendable, Hashable {
        /// What is counted.
        public var metric: EvaluationMetric
        /// The earlier result's rate.
        public var before: Double
        /// The rate of the new result.
        public var after: Double
        /// The confidence interval of the difference; nil with fewer than two files.
        public var interval: ConfidenceInterval?

        /// The new rate minus the earlier one: below 0 is better.
        public var change: Double { after - before }
        /// Whether the difference is statistically significant.
        public var isSignificant: Bool { interval.map { $0.low > 0 || $0.high < 0 } ?? false }
    }

    /// The number of files in both results.
    public var fileCount: Int
    /// The number of files in only one of them; they are left out.
    public var unmatchedCount: Int
    /// The figures, words first.
    public var differences: [Difference]
    /// The files whose number of errors in words has changed, by name, with both counts.
    public var changedFiles: [ChangedFile]

    /// A file whose number of errors in words has changed.
    public struct ChangedFile: Sendable, Hashable {
        /// The file's name.
        public var file: String
        /// The number of errors in the earlier result.
        public var before: Int
        /// The number of errors in the new result.
        public var after: Int
    }

    /// Compares a result with an earlier one, after normalising its texts in the same way.
    ///
    /// - Throws: `StenoError` `evaluationInput` when they have no files in common, or different references for a file.
    public init(
        _ result: EvaluationResult, with earlier: EvaluationResult, scorer: TextScorer,
        bootstrap: Bootstrap = Bootstrap()
    ) throws {
        let byName = Dictionary(earlier.files.map { ($0.file, $0) }) { first, _ in first }
        let pairs = try result.files.compactMap { file in
            try byName[file.file].map { (before: try Self.matched($0, file, scorer), after: file) }
        }
        guard !pairs.isEmpty else { throw EvaluationInput.failure("The two results have no files in common.") }
        fileCount = pairs.count
        unmatchedCount = result.files.count + earlier.files.count - 2 * pairs.count
        differences = try EvaluationMetric.allCases.compactMap { metric in
            let before = pairs.map { metric.counts($0.before) }
            let after = pairs.map { metric.counts($0.after) }
            guard let old = before.total().rate, let new = after.total().rate else { return nil }
            return try Difference(
                metric: metric, before: old, after: new, interval: bootstrap.interval(from: before, to: after))
        }
        changedFiles = pairs.filter { $0.before.words.errors != $0.after.words.errors }.map {
            ChangedFile(file: $0.after.file, before: $0.before.words.errors, after: $0.after.words.errors)
        }
    }

    /// The earlier texts, normalised in the language of the new ones.
    private static func matched(
        _ earlier: EvaluatedFile, _ file: EvaluatedFile, _ scorer: TextScorer
    ) throws -> EvaluatedFile {
        var earlier = earlier
        earlier.language = file.language
        let rescored = earlier.rescored(scorer)
        guard rescored.normalizedReference == file.normalizedReference else {
            throw EvaluationInput.failure(
                "\(file.file): the two results have different references, so they cannot be compared.")
        }
        return rescored
    }
}

/// Shows the reference above the hypothesis where they differ.
///
///     said   leaves  at  dawn  so
///     heard  leaves  it  dawn  –
///                    S         D
public enum EvaluationDifferences {
    /// The number of words shown before and after an error.
    private static let context = 4

    /// The differences of a file; empty when there are none.
    ///
    /// - Parameters:
    ///   - file: The file whose normalised texts are compared.
    ///   - width: The maximum width of a line in columns.
    public static func text(_ file: EvaluatedFile, width: Int = 100) -> String {
        let columns = columns(file)
        return parts(columns).flatMap { wrapped(columns[$0], width) }.joined(separator: "\n")
    }

    private struct Column {
        var said: String
        var heard: String
        var mark: String

        var width: Int { [said, heard, mark].reduce(0) { max($0, TextWidth.of($1)) } }
    }

    private static func columns(_ file: EvaluatedFile) -> [Column] {
        let (said, heard) = (words(file.normalizedReference), words(file.normalizedHypothesis))
        var (row, place) = (0, 0)
        return EditAlignment(reference: said, hypothesis: heard).steps.map { step in
            defer {
                if step != .insertion { row += 1 }
                if step != .deletion { place += 1 }
            }
            return switch step {
            case .hit: Column(said: said[row], heard: heard[place], mark: "")
            case .substitution: Column(said: said[row], heard: heard[place], mark: "S")
            case .deletion: Column(said: said[row], heard: "–", mark: "D")
            case .insertion: Column(said: "–", heard: heard[place], mark: "I")
            }
        }
    }

    private static func words(_ text: String) -> [String] { CodePoints(text).words() }

    /// The stretches around errors, joined where they touch.
    private static func parts(_ columns: [Column]) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        for index in columns.indices where !columns[index].mark.isEmpty {
            let part = max(0, index - context)..<min(columns.count, index + context + 1)
            if let last = parts.last, last.upperBound >= part.lowerBound {
                parts[parts.count - 1] = last.lowerBound..<part.upperBound
            } else {
                parts.append(part)
            }
        }
        return parts
    }

    /// Groups of three lines, each with as many columns as fit.
    private static func wrapped(_ columns: ArraySlice<Column>, _ width: Int) -> [String] {
        var blocks: [[Column]] = [[]]
        var used = 0
        for column in columns {
            used += column.width + 2
            if used > width - 9, blocks.last?.isEmpty == false {
                blocks.append([])
                used = column.width + 2
            }
            blocks[blocks.count - 1].append(column)
        }
        return blocks.filter { !$0.isEmpty }.map(block)
    }

    private static func block(_ columns: [Column]) -> String {
        func line(_ title: String, _ text: KeyPath<Column, String>) -> String {
            let cells = columns.map { TextWidth.pad($0[keyPath: text], to: $0.width) }
            let line = TextWidth.pad(title, to: 7) + cells.joined(separator: "  ")
            return "  " + String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }
        return line("said", \.said) + line("heard", \.heard) + line("", \.mark)
    }
}
