public import StenoCore

/// Splits cues for readability: whole phrases in balanced lines, shown long enough, never overlapping.
///
/// The defaults follow the timed text guides of Netflix and the BBC: 42 characters in two lines, 17 characters per
/// second, 1 to 7 seconds. Text in Chinese, Japanese and Korean is measured in full-width characters and has its own
/// limits.
public struct CueSplitting: Sendable, Hashable, Adjustable {
    /// The maximum number of characters in a line, from 1 to 500; nil is 42, or 16 full-width ones in Chinese and
    /// Korean, 13 in Japanese.
    ///
    /// A word longer than a line gets its own line.
    public var lineWidth: Int?
    /// The maximum number of lines in a cue, from 1 to 10.
    public var lineCount = 2
    /// The reading speed in characters per second, from 1 to 1000; nil is 17, or 9 in Chinese, 7 in Japanese, 12 in
    /// Korean.
    ///
    /// This is a target; fast speech may exceed it, because words are never left out.
    public var readingSpeed: Double?
    /// The minimum duration of a cue, from 0 seconds to ``maxDuration``, unless the next one begins earlier.
    public var minDuration = 1.0
    /// The maximum duration of a cue, from 0.5 to 60 seconds.
    public var maxDuration = 7.0
    /// The minimum time between two cues, from 0 to 1 second: two video frames, so that the change is visible.
    public var minGap = 0.083

    /// Creates options with their defaults.
    ///
    /// Values outside their ranges are clamped where cues are made, and errors where files are written.
    public init() {}

    static let widths = 1...500
    static let counts = 1...10
    static let speeds = 1.0...1000
    static let durations = 0.5...60
    static let gaps = 0.0...1
}

extension CueSplitting: Codable, OptionTable {
    package static var fields: OptionFields<Self> {
        [
            .init("lineWidth", \.lineWidth, in: widths, or: "The width of a subtitle's line must be from 1 to 500."),
            .init("lineCount", \.lineCount, in: counts, or: "A subtitle must have from 1 to 10 lines."),
            .init(
                "readingSpeed", \.readingSpeed, in: speeds,
                or: "The reading speed must be from 1 to 1000 characters a second."),
            .init("minDuration", \.minDuration)
                .rule("The shortest subtitle must take from 0 seconds to as many as the longest.") {
                    $0.minDuration >= 0 && $0.minDuration <= $0.maxDuration
                },
            .init(
                "maxDuration", \.maxDuration, in: durations,
                or: "The longest subtitle must take from 0.5 to 60 seconds."),
            .init("minGap", \.minGap, in: gaps, or: "The gap between subtitles must be from 0 to 1 second."),
        ]
    }
}
