import Foundation
import Steno
import StenoCommandLine
import StenoEvaluation

struct EvaluationOutput {
    let arguments: EvaluationArguments
    let scorer: TextScorer
    let earlier: EvaluationResult?
    let console: Console

    private var metrics: [EvaluationMetric] { arguments.metric.metrics }

    func table(_ names: [String]) -> EvaluationTable { EvaluationTable(metrics: metrics, names: names) }

    func show(_ result: EvaluationResult) -> EvaluationResult {
        guard result.hasTexts else { return result }
        let table = table(result.files.map(\.file))
        console.print(table.header + result.files.map(table.row).joined() + table.totalRow(result))
        return result
    }

    /// Shows the totals and writes the requested files; returns the exit code.
    func finish(_ result: EvaluationResult) -> Int32 {
        if arguments.differences { showDifferences(result) }
        if result.hasTexts { console.print("\n" + result.summary(metrics)) }
        let speakers = result.speakerText
        if !speakers.isEmpty { console.print((result.hasTexts ? "\n" : "") + speakers) }
        let hasAll = result.failures.isEmpty && !result.files.isEmpty
        do {
            let comparison = try earlier.map { try EvaluationComparison(result, with: $0, scorer: scorer) }
            if let comparison { console.print("\n" + comparison.summary(metrics)) }
            try write(result, comparison)
        } catch {
            console.fail("the result", error)
            return error.exitCode
        }
        return hasAll ? 0 : 1
    }

    private func showDifferences(_ result: EvaluationResult) {
        for file in result.files {
            let text = EvaluationDifferences.text(file)
            if !text.isEmpty { console.print("\n\(file.file)\n\(text)") }
        }
    }

    private func write(_ result: EvaluationResult, _ comparison: EvaluationComparison?) throws {
        if let path = arguments.json {
            try EvaluationResult.write(result.json(comparison), to: LocalFile.url(path))
        }
        if let path = arguments.markdown {
            try EvaluationResult.write(result.markdown(metrics, comparison: comparison), to: LocalFile.url(path))
        }
    }
}
