/// How much of the speech has the wrong speakers, in seconds: the parts of the diarization error rate (DER).
///
/// Where several people speak at once, each counts: a second of two voices is two seconds of speech.
public struct DiarizationErrors: Sendable, Hashable, Codable {
    /// The speech in the reference.
    public var total: Double
    /// Speech that the hypothesis has no speaker for.
    public var missed: Double
    /// Speakers of the hypothesis where nobody speaks, or fewer do.
    public var falseAlarm: Double
    /// Speech with another speaker.
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
    /// Where nobody speaks it is 0 when nobody is found either, and else nil; such errors still count in the total.
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
    /// NIST's `md-eval` and dscore mean the same by their collar; that of `pyannote.metrics` is the whole, twice as
    /// much.
    public var collar: Double
    /// Whether speech of several people at once does not count.
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
