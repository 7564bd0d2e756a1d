/// The parts of the diarization error rate (DER), in seconds.
///
/// Overlapping speech counts for each speaker: one second of two voices is two seconds of speech.
public struct DiarizationErrors: Sendable, Hashable, Codable {
    /// The speech in the reference.
    public var total: Double
    /// Speech that the hypothesis has no speaker for.
    public var missed: Double
    /// Speakers in the hypothesis where nobody speaks, or fewer people do.
    public var falseAlarm: Double
    /// Speech with the wrong speaker.
    public var confusion: Double

    /// Creates counts.
    public init(total: Double = 0, missed: Double = 0, falseAlarm: Double = 0, confusion: Double = 0) {
        self.total = total
        self.missed = missed
        self.falseAlarm = falseAlarm
        self.confusion = confusion
    }

    /// All errors, in seconds.
    public var errors: Double { missed + falseAlarm + confusion }

    /// The diarization error rate: errors per second of speech.
    ///
    /// Without speech in the reference it is 0 if the hypothesis has none either, and otherwise nil; such errors still
    /// count in the total.
    public var rate: Double? {
        if total > 0 { return errors / total }
        return errors == 0 ? 0 : nil
    }

    /// The counts of two recordings together.
    public static func + (first: Self, second: Self) -> Self {
        Self(
            total: first.total + second.total, missed: first.missed + second.missed,
            falseAlarm: first.falseAlarm + second.falseAlarm, confusion: first.confusion + second.confusion)
    }

    private enum CodingKeys: String, CodingKey {
        case total, missed
        case falseAlarm = "false_alarm"
        case confusion
    }
}

/// How diarization is scored.
public struct DiarizationScoring: Sendable, Hashable, Codable {
    /// The seconds before and after every boundary of the reference that do not count.
    ///
    /// NIST's `md-eval` and dscore define their collar in the same way; `pyannote.metrics` counts both sides, twice as
    /// much.
    public var collar: Double
    /// Whether overlapping speech does not count.
    public var skipsOverlap: Bool

    /// Creates a scoring; both are NIST's by default, with overlaps counted.
    public init(collar: Double = 0.25, skipsOverlap: Bool = false) {
        precondition(collar >= 0)
        self.collar = collar
        self.skipsOverlap = skipsOverlap
    }

    private enum CodingKeys: String, CodingKey {
        case collar
        case skipsOverlap = "skips_overlap"
    }
}
