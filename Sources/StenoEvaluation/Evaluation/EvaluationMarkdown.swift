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
    /// The lines as list items.
    fileprivate var bullets: [String] {
        split(separator: "\n").map { $0.hasPrefix("  ") ? "  - \($0.dropFirst(2))" : "- \($0)" }
    }

    /// A file name as code, without characters that Markdown would interpret.
    fileprivate var escaped: String { "`" + replacing("|", with: "\\|").replacing("`", with: "'") + "`" }

    fileprivate var trimmedEnd: String { hasSuffix("\n") ? String(dropLast()) : self }
}
