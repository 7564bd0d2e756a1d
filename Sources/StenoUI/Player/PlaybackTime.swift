/// A time as people read it: `0:07`, `12:34`, `1:02:03`.
package func playbackTime(_ seconds: Double) -> String {
    let whole = seconds.isFinite ? Int(max(0, min(359_999, seconds))) : 0
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
}
