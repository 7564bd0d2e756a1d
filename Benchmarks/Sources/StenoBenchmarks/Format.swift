import Foundation

/// Formats figures for people.
enum Format {
    /// Three significant digits.
    static func digits(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        return String(format: value < 0.1 ? "%.4f" : value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value)
    }

    static func percent(_ share: Double) -> String { share.isFinite ? String(format: "%.0f %%", 100 * share) : "–" }

    /// A size in binary units.
    static func size(_ bytes: Int) -> String { bytes < 1 << 20 ? "\(bytes >> 10) KiB" : "\(bytes >> 20) MiB" }
}
