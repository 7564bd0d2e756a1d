import Foundation
import Steno

extension SpeedReport {
    /// A table of medians and ranges.
    public var table: String {
        let rows = SpeedFigure.allCases.compactMap(row)
        let width = rows.reduce(0) { max($0, TextWidth.of($1.label)) }
        return "\(heading)\n\n" + rows.map { "\(TextWidth.pad($0.label, to: width))  \($0.figures)\n" }.joined()
    }

    private var heading: String {
        let threads = threads == 1 ? "1 thread" : "\(threads) threads"
        let runs = runs == 1 ? "one run" : "medians of \(runs) runs"
        return "\(model), \(precision.rawValue), \(threads), \(instructionSet); \(runs)"
    }

    private func row(_ figure: SpeedFigure) -> (label: String, figures: String)? {
        guard let measurements = figures[figure] else { return nil }
        let median = TextWidth.padLeft(Self.text(measurements.median), to: 8)
        let spread = runs > 1 ? "  (\(Self.text(measurements.least))–\(Self.text(measurements.most)))" : ""
        return (label(figure), "\(median) \(figure.unit)\(spread)\(note(figure))")
    }

    private func label(_ figure: SpeedFigure) -> String {
        guard figure == .audio, let audioName, let audioSeconds else { return figure.label }
        return String(format: "%@, %.1f s", audioName, audioSeconds)
    }

    private func note(_ figure: SpeedFigure) -> String {
        guard figure == .audio, let realTimeFactor else { return "" }
        return String(format: "  %.1f times as fast as speech", 1 / realTimeFactor)
    }

    /// Three significant digits.
    private static func text(_ value: Double) -> String {
        String(format: value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
    }
}
