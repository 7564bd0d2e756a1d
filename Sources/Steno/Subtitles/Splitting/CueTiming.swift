/// Decides when cues appear and disappear.
///
/// A cue appears with its first word. It stays after its last word until there was time to read it, but at most a
/// second and a half longer. It leaves a gap before the next one; if little more than the gap would be left, it stays
/// until the gap, so that nothing flickers.
struct CueTiming {
    /// How long a cue may stay after its last word for reading, in seconds (BBC).
    static let longestStay = 1.5
    /// A gap shorter than this, in seconds, is closed.
    static let flicker = 0.5
    /// The shortest time that anything is shown, in seconds, even if the words have no duration.
    static let shortest = 0.1

    let limits: ReadingLimits

    /// The times at which cues appear, given the times of their first words, in order.
    ///
    /// They appear late only if words aligned to the same moment make it necessary.
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

    /// The time at which a cue disappears.
    ///
    /// - Parameters:
    ///   - start: The time at which it appears.
    ///   - said: The end of its last word.
    ///   - columns: The width of its text in columns.
    ///   - next: The time at which the next cue appears; nil after the last.
    ///   - audioEnd: The end of the audio, if it is known.
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
