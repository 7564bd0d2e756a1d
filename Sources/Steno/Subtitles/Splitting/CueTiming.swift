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

    /// - Parameters:
    ///   - said: The end of its last word.
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

/// The options of a splitting for one transcript: in columns, and clamped to their ranges.
struct ReadingLimits {
    /// The columns in a line; a full-width character takes two.
    let lineWidth: Int
    let lineCount: Int
    /// The columns read in a second.
    let readingSpeed: Double
    let minDuration: Double
    let maxDuration: Double
    let minGap: Double

    init(_ options: CueSplitting, script: CueScript) {
        let width = (options.lineWidth ?? script.lineWidth).clamped(to: CueSplitting.widths)
        let speed = (options.readingSpeed ?? script.readingSpeed).clamped(to: CueSplitting.speeds)
        lineWidth = width * script.columns
        readingSpeed = speed * Double(script.columns)
        lineCount = options.lineCount.clamped(to: CueSplitting.counts)
        maxDuration = options.maxDuration.clamped(to: CueSplitting.durations)
        minDuration = options.minDuration.clamped(to: 0...maxDuration)
        minGap = options.minGap.clamped(to: CueSplitting.gaps)
    }

    /// How long a text of this many columns should be seen.
    func duration(columns: Int) -> Double { max(minDuration, Double(columns) / readingSpeed) }
}

extension Comparable {
    /// The nearest value in a range; values that cannot be compared, such as NaN, become its lower end.
    func clamped(to range: ClosedRange<Self>) -> Self {
        self >= range.upperBound ? range.upperBound : self > range.lowerBound ? self : range.lowerBound
    }
}
