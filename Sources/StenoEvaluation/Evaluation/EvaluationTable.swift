import Foundation
import Steno

/// A text table of an evaluation: one row per file, then the totals.
public struct EvaluationTable: Sendable {
    /// What is counted; without a metric, the only figure is the speed.
    public let metrics: [EvaluationMetric]
    private let nameWidth: Int

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - metrics: What is counted; the errors are shown in detail for the first.
    ///   - names: The names of the files, so that rows can be written before all results are known.
    public init(metrics: [EvaluationMetric] = EvaluationMetric.allCases, names: [String]) {
        self.metrics = metrics
        nameWidth = names.reduce("total".count) { max($0, TextWidth.of($1)) }
    }

    /// The header of the table.
    public var header: String { line("file", titles) }

    /// A file's row.
    public func row(_ file: EvaluatedFile) -> String { line(file.file, cells(file)) }

    /// The last row.
    public func totalRow(_ result: EvaluationResult) -> String { line("total", result.cells(self)) }

    /// The titles of the columns after the file's name.
    var titles: [String] {
        guard let first = metrics.first else { return ["speed"] }
        let rates = metrics.map { "\($0.rawValue.uppercased()) %" }
        return [first.noun, rates[0], "sub", "del", "ins"] + rates.dropFirst() + ["speed"]
    }

    /// A file's figures: the details of the first metric, the rates of the others, the speed.
    func cells(_ file: EvaluatedFile) -> [String] {
        let counts = metrics.map { $0.counts(file) }
        let speed = file.duration.flatMap { duration in file.elapsed.map { duration / $0 } }
        return cells(counts, rates: counts.map(\.rate), speed: speed)
    }

    fileprivate func cells(_ counts: [ErrorCounts], rates: [Double?], speed: Double?) -> [String] {
        let pace = speed.map { String(format: "%.1f", $0) } ?? "–"
        guard let first = counts.first else { return [pace] }
        let details = [first.substitutions, first.deletions, first.insertions].map { String($0) }
        let others = rates.dropFirst().map(Percent.text)
        return [String(first.referenceCount), Percent.text(rates[0])] + details + others + [pace]
    }

    private func line(_ name: String, _ cells: [String]) -> String {
        let columns = zip(cells, titles).map { TextWidth.padLeft($0, to: max(8, TextWidth.of($1) + 2)) }
        return TextWidth.pad(name, to: nameWidth) + columns.joined() + "\n"
    }
}

extension EvaluationResult {
    /// The figures for the last row.
    func cells(_ table: EvaluationTable) -> [String] {
        table.cells(table.metrics.map(total), rates: table.metrics.map(rate), speed: speed)
    }

    /// The totals in sentences, one per line.
    public func summary(_ metrics: [EvaluationMetric] = EvaluationMetric.allCases) -> String {
        (metrics.map(sentence) + [speedSentence].compactMap { $0 } + failureSentence).map { $0 + "\n" }.joined()
    }

    private func sentence(_ metric: EvaluationMetric) -> String {
        let total = total(metric)
        return
            "\(metric.rawValue.uppercased()) \(Percent.withUnit(rate(metric)))\(Percent.interval(interval(metric))): "
            + "\(total.errors) errors in \(total.referenceCount) \(metric.noun) of \(files.count) files "
            + "(\(total.substitutions) substituted, \(total.deletions) deleted, \(total.insertions) inserted)"
    }

    private var speedSentence: String? {
        speed.map { String(format: "%.1f s of audio, %.1f times as fast as speech", duration, $0) }
    }

    private var failureSentence: [String] {
        failures.isEmpty ? [] : ["not compared: " + failures.joined(separator: ", ")]
    }
}

extension EvaluationComparison {
    /// The differences in sentences, one per line.
    public func summary(_ metrics: [EvaluationMetric] = EvaluationMetric.allCases) -> String {
        let left = unmatchedCount > 0 ? ", \(unmatchedCount) in one result only" : ""
        let sentences = differences.filter { metrics.contains($0.metric) }.map { difference in
            "\(difference.metric.rawValue.uppercased()) \(Percent.text(difference.before)) % → "
                + "\(Percent.text(difference.after)) %: \(Percent.points(difference.change)) points"
                + Percent.interval(difference.interval, signed: true)
                + (difference.isSignificant || difference.change == 0 ? "" : ", which may be chance")
        }
        let changes = changedFiles.map { "  \($0.file): \($0.before) → \($0.after) errors" }
        return (["compared on \(fileCount) files\(left)"] + sentences + changes).map { $0 + "\n" }.joined()
    }
}

enum Percent {
    static func withUnit(_ rate: Double?) -> String { text(rate) + (rate == nil ? "" : " %") }

    static func text(_ rate: Double?) -> String { rate.map { String(format: "%.2f", 100 * $0) } ?? "–" }

    static func points(_ change: Double) -> String { String(format: "%+.2f", 100 * change) }

    static func interval(_ interval: ConfidenceInterval?, signed: Bool = false) -> String {
        guard let interval else { return "" }
        let ends = [interval.low, interval.high].map { signed ? points($0) : text($0) }
        return " (95 % interval \(ends[0]) to \(ends[1]))"
    }
}

extension EvaluationResult {
    /// The result as Markdown: the totals, a table of the files, and the differences.
    ///
    /// - Parameters:
    ///   - metrics: What is counted.
    ///   - comparison: A comparison to include.
    public func markdown(
        _ metrics: [EvaluationMetric] = EvaluationMetric.allCases, comparison: EvaluationComparison? = nil
    ) -> String {
        var lines = ["# Evaluation", ""]
        lines += summary(metrics).bullets + (comparison?.summary(metrics).bullets ?? [])
        lines += ["- model: \(model ?? "existing transcripts"); normaliser: \(normalization.rawValue)", ""]
        if hasTexts { lines += table(metrics) }
        lines += speakerTable
        lines += differences
        return lines.joined(separator: "\n") + "\n"
    }

    private var speakerTable: [String] {
        let rows = speakerRows
        guard !rows.isEmpty else { return [] }
        let rule = ["---"] + SpeakerTable.titles.map { _ in "---:" }
        let cells = [["file"] + SpeakerTable.titles, rule] + rows.map { [$0.name.escaped] + $0.cells }
        return [""] + cells.map { "| " + $0.joined(separator: " | ") + " |" }
    }

    private func table(_ metrics: [EvaluationMetric]) -> [String] {
        let table = EvaluationTable(metrics: metrics, names: [])
        let rows = files.map { [$0.file.escaped] + table.cells($0) }
        let total = ["**total**"] + cells(table)
        let rule = ["---"] + table.titles.map { _ in "---:" }
        return ([["file"] + table.titles, rule] + rows + [total]).map { "| " + $0.joined(separator: " | ") + " |" }
    }

    private var differences: [String] {
        let texts = files.map { ($0.file, EvaluationDifferences.text($0)) }.filter { !$0.1.isEmpty }
        return texts.flatMap { ["", "**\($0.0.escaped)**", "", "```", $0.1.trimmedEnd, "```"] }
    }
}

extension String {
    fileprivate var bullets: [String] {
        split(separator: "\n").map { $0.hasPrefix("  ") ? "  - \($0.dropFirst(2))" : "- \($0)" }
    }

    /// A file name as code, without characters that Markdown would interpret.
    fileprivate var escaped: String { "`" + replacing("|", with: "\\|").replacing("`", with: "'") + "`" }

    fileprivate var trimmedEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}

extension EvaluationResult {
    /// Whether there are texts to compare; if not, only speaker turns were compared.
    package var hasTexts: Bool { files.isEmpty || files.contains { !$0.reference.isEmpty || !$0.hypothesis.isEmpty } }

    /// The speaker errors of all files together; the numbers of speakers are sums.
    public var speakerTotal: SpeakerErrors {
        let errors = files.compactMap(\.speakers)
        let (turns, words) = (errors.compactMap(\.diarization), errors.compactMap(\.words))
        return SpeakerErrors(
            diarization: turns.isEmpty ? nil : turns.reduce(DiarizationErrors(), +),
            words: words.isEmpty ? nil : words.reduce(WordSpeakerErrors(), +),
            speakers: errors.reduce(0) { $0 + $1.speakers }, found: errors.reduce(0) { $0 + $1.found })
    }

    /// The number of files in which the right number of speakers was found.
    public var speakerCountsRight: Int { files.count { $0.speakers.map { $0.speakers == $0.found } ?? false } }

    /// A text table of the speaker errors, with the totals in sentences; empty if speakers were not compared.
    public var speakerText: String {
        let rows = speakerRows
        guard !rows.isEmpty else { return "" }
        let width = rows.reduce(0) { max($0, TextWidth.of($1.name)) }
        let lines = ([("file", SpeakerTable.titles)] + rows).map { name, cells in
            let columns = zip(cells, SpeakerTable.titles).map { TextWidth.padLeft($0, to: TextWidth.of($1) + 2) }
            return TextWidth.pad(name, to: width) + columns.joined() + "\n"
        }
        return lines.joined() + "\n" + speakerSummary
    }

    /// One row per file, and one for the total.
    var speakerRows: [(name: String, cells: [String])] {
        let rows = files.compactMap { file in file.speakers.map { (name: file.file, cells: SpeakerTable.cells($0)) } }
        return rows.isEmpty ? [] : rows + [(name: "total", cells: SpeakerTable.cells(speakerTotal))]
    }

    private var speakerSummary: String {
        let (total, scoring) = (speakerTotal, diarization ?? DiarizationScoring())
        let count = files.count { $0.speakers != nil }
        var sentences = ["number of speakers right in \(speakerCountsRight) of \(count) files"]
        if let turns = total.diarization {
            let overlap = scoring.skipsOverlap ? ", without overlaps" : ""
            sentences.append(
                "DER \(Percent.withUnit(turns.rate)) of \(String(format: "%.1f", turns.total)) s of speech "
                    + "(collar \(scoring.collar) s on either side\(overlap))")
        }
        if let words = total.words {
            sentences.append(
                "cpWER \(Percent.withUnit(words.concatenated.rate)): \(words.concatenated.errors) errors in "
                    + "\(words.concatenated.referenceCount) words")
            sentences.append(
                "\(words.wrongSpeaker) of \(words.aligned) aligned words have the wrong speaker: "
                    + Percent.withUnit(words.wrongSpeakerRate))
        }
        return sentences.map { $0 + "\n" }.joined()
    }
}

enum SpeakerTable {
    static let titles = ["speakers", "found", "DER %", "missed", "false", "confused", "cpWER %", "wrong %"]

    static func cells(_ errors: SpeakerErrors) -> [String] {
        let turns = errors.diarization
        func part(_ seconds: Double?) -> String {
            Percent.text(seconds.flatMap { part in turns.flatMap { $0.total > 0 ? part / $0.total : nil } })
        }
        return [
            String(errors.speakers), String(errors.found), Percent.text(turns?.rate), part(turns?.missed),
            part(turns?.falseAlarm), part(turns?.confusion), Percent.text(errors.words?.concatenated.rate),
            Percent.text(errors.words?.wrongSpeakerRate),
        ]
    }
}
