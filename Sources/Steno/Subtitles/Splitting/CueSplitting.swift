public import StenoCore

/// Splits cues for readability: whole phrases in balanced lines, shown long enough, never overlapping.
///
/// The defaults follow the timed text guides of Netflix and the BBC: 42 characters in two lines, 17 characters per
/// second, 1 to 7 seconds. Text in Chinese, Japanese and Korean is measured in full-width characters and has its own
/// limits.
public struct CueSplitting: Sendable, Hashable, Adjustable {
    /// The maximum number of characters in a line; nil is 42, or 16 full-width ones in Chinese and Korean, 13 in
    /// Japanese.
    ///
    /// A word longer than a line gets its own line.
    package var lineWidth: Int?
    /// The maximum number of lines in a cue.
    package var lineCount = 2
    /// The reading speed in characters per second; nil is 17, or 9 in Chinese, 7 in Japanese, 12 in Korean.
    ///
    /// This is a target; fast speech may exceed it, because words are never left out.
    package var readingSpeed: Double?
    /// The minimum duration of a cue, in seconds, unless the next one begins earlier.
    package var minDuration = 1.0
    /// The maximum duration of a cue, in seconds.
    package var maxDuration = 7.0
    /// The minimum time between two cues, in seconds: two video frames, so that the change is visible.
    package var minGap = 0.083

    /// Creates options; omitted ones have their defaults.
    ///
    /// - Parameters:
    ///   - lineWidth: Characters per line, 1 to 500; nil is 42, or 16 full-width ones in Chinese and Korean, 13 in
    ///     Japanese.
    ///   - lineCount: Lines per cue, 1 to 10.
    ///   - readingSpeed: Characters per second, 1 to 1000; nil is 17, or 9 in Chinese, 7 in Japanese, 12 in Korean.
    ///   - minDuration: The shortest cue in seconds, 0 to `maxDuration`.
    ///   - maxDuration: The longest cue in seconds, 0.5 to 60.
    ///   - minGap: The time between two cues in seconds, 0 to 1.
    public init(
        lineWidth: Int? = nil, lineCount: Int = 2, readingSpeed: Double? = nil, minDuration: Double = 1.0,
        maxDuration: Double = 7.0, minGap: Double = 0.083
    ) {
        self.lineWidth = lineWidth
        self.lineCount = lineCount
        self.readingSpeed = readingSpeed
        self.minDuration = minDuration
        self.maxDuration = maxDuration
        self.minGap = minGap
    }

    /// Rejects values outside their range, with a message that names the option.
    package func validate() throws {
        let checks: [(Bool, String)] = [
            (lineWidth.map(Self.widths.contains) ?? true, "The width of a subtitle's line must be from 1 to 500."),
            (Self.counts.contains(lineCount), "A subtitle must have from 1 to 10 lines."),
            (
                readingSpeed.map(Self.speeds.contains) ?? true,
                "The reading speed must be from 1 to 1000 characters a second."
            ),
            (Self.durations.contains(maxDuration), "The longest subtitle must take from 0.5 to 60 seconds."),
            (
                minDuration >= 0 && minDuration <= maxDuration,
                "The shortest subtitle must take from 0 seconds to as many as the longest."
            ),
            (Self.gaps.contains(minGap), "The gap between subtitles must be from 0 to 1 second."),
        ]
        if let failed = checks.first(where: { !$0.0 }) { throw StenoError(.invalidOption, failed.1) }
    }

    static let widths = 1...500
    static let counts = 1...10
    static let speeds = 1.0...1000
    static let durations = 0.5...60
    static let gaps = 0.0...1
}
