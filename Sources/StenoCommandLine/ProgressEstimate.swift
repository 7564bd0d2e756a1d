package import Foundation

/// The progress line of a file, with the estimated time left.
package struct ProgressEstimate: Sendable {
    package let name: String
    package let start: Date

    package init(name: String, start: Date) {
        self.name = name
        self.start = start
    }

    /// The line after `processed` seconds; without a known total it shows only `processed`.
    package func line(processed: Double, total: Double?, now: Date) -> String {
        let head = name.count > 32 ? String(name.prefix(31)) + "…" : name
        guard let total, total > 0 else { return "\(head)  \(Self.clock(processed))" }
        let done = min(1, max(0, processed / total))
        let percent = "\(Int(done * 100)) %"
        let place = "\(Self.clock(processed)) of \(Self.clock(total))"
        return ["\(head)", percent, place, timeLeft(done: done, now: now)].compactMap { $0 }.joined(separator: "  ")
    }

    /// Assumes that the rest is processed at the average speed so far.
    private func timeLeft(done: Double, now: Date) -> String? {
        let elapsed = now.timeIntervalSince(start)
        guard done > 0, done < 1, elapsed >= 0.5 else { return nil }
        return "\(Self.clock(elapsed / done * (1 - done))) left"
    }

    /// Seconds as `m:ss` or `h:mm:ss`.
    package static func clock(_ seconds: Double) -> String {
        let whole = Int(exactly: max(0, seconds).rounded()) ?? 0
        let (hours, rest) = whole.quotientAndRemainder(dividingBy: 3600)
        let clock = hours > 0 ? String(format: "%d:%02d", hours, rest / 60) : "\(rest / 60)"
        return clock + String(format: ":%02d", rest % 60)
    }
}
