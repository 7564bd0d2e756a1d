/// When cues appear and disappear.
///
/// A cue appears with its first word. It stays after its last one until it can be read, but no longer than a second and
/// a half for that; it leaves the gap before the next one free; and where little more than the gap would be left, it
/// stays until there, so that nothing flickers.
struct CueTiming {
    /// How long a cue may stay for its readers after its last word, in seconds (BBC).
    static let longestStay = 1.5
    /// A gap shorter than this is closed.
    static let flicker = 0.5
    /// Nothing is shown shorter, even when the words have no time at all.
    static let shortest = 0.1

    let limits: ReadingLimits

    /// When cues appear whose first words are said at these times (in order).
    ///
    /// They appear late only if words that were aligned to one moment leave no other way.
    ///
    /// - Parameter earliest: The time before which none appears.
    func starts(_ said: [Double], earliest: Double = -.infinity) -> [Double] {
        var earliest = earliest
        return said.map { time in
            let start = max(time, earliest)
            earliest = start + limits.minGap + Self.shortest
            return start
        }
    }

    /// When a cue disappears.
    ///
    /// - Parameters:
    ///   - start: When it appears.
    ///   - said: When its last word ends.
    ///   - columns: How much there is to read.
    ///   - next: When the next cue appears; nil after the last.
    ///   - audioEnd: Where the audio ends, if that is known.
    func end(start: Double, said: Double, columns: Int, next: Double?, audioEnd: Double?) -> Double {
        let wanted = start + limits.duration(columns: columns)
        var end = max(said, min(wanted, said + Self.longestStay), start + limits.minDuration)
        if let next {
            let limit = next - limits.minGap
            if end > limit || limit - end < Self.flicker { end = limit }
        } else if let audioEnd, audioEnd >= said {
            end = min(end, audioEnd)
        }
        return max(start + Self.shortest, min(end, start + limits.maxDuration))
    }
}
