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
