import Foundation
import Steno
import StenoCommandLine
import StenoModelStore

/// The progress line of a download: a bar, bytes, rate, time left.
struct DownloadLine: Sendable {
    let name: String

    private static let barWidth = 24

    func text(_ progress: DownloadProgress) -> String {
        switch progress.phase {
        case .waiting: return "\(name)  another process is downloading it; waiting"
        case .installed: return "\(name)  installed"
        case .downloading: break
        default: return "\(name)  asking for the list of its files"
        }
        guard let fraction = progress.fraction else { return "\(name)  \(ByteCount(progress.received))" }
        let filled = Int(Double(Self.barWidth) * fraction)
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
        var parts = [
            name, bar, "\(Int(fraction * 100)) %", "\(ByteCount(progress.received)) of \(ByteCount(progress.size))",
        ]
        if let rate = progress.bytesPerSecond, rate >= 1 { parts.append("\(ByteCount(Int(rate)))/s") }
        if let seconds = progress.secondsLeft, seconds < 360_000 {
            parts.append("\(ProgressEstimate.clock(seconds)) left")
        }
        return parts.joined(separator: "  ")
    }
}
