package import StenoCore

/// The parts of the diarization error rate (DER), in seconds.
///
/// Overlapping speech counts for each speaker: one second with two voices is two seconds of speech.
public struct DiarizationErrors: Sendable, Hashable, Codable {
    /// The speech in the reference.
    public var total: Double
    /// Speech for which the hypothesis has no speaker.
    public var missed: Double
    /// Speakers in the hypothesis where fewer people speak, or nobody does.
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
    /// The seconds before and after every boundary of the reference that do not count; a negative value counts as 0.
    ///
    /// NIST's `md-eval` and dscore define their collar in the same way; `pyannote.metrics` states the sum of both
    /// sides, twice as much.
    public var collar: Double
    /// Whether overlapping speech is ignored.
    public var skipsOverlap: Bool

    /// Creates a scoring; the defaults are NIST's, with overlaps counted.
    public init(collar: Double = 0.25, skipsOverlap: Bool = false) {
        self.collar = max(0, collar)
        self.skipsOverlap = skipsOverlap
    }

    private enum CodingKeys: String, CodingKey {
        case collar
        case skipsOverlap = "skips_overlap"
    }
}

extension DiarizationErrors {
    /// Compares speaker turns, mapping the speakers of the hypothesis to those of the reference so that they agree
    /// longest.
    ///
    /// Equal to `DiarizationErrorRate` of `pyannote.metrics` with twice the collar. Overlapping turns of one speaker
    /// count once.
    package init(reference: [SpeakerTurn], hypothesis: [SpeakerTurn], scoring: DiarizationScoring) {
        let sweep = TurnSweep(reference: reference, hypothesis: hypothesis, scoring: scoring)
        self.init(total: sweep.total, missed: sweep.missed, falseAlarm: sweep.falseAlarm)
        // Sums of rounded times may differ in the last digit.
        confusion = max(0, sweep.paired - Assignment.largestSum(sweep.common))
    }
}

/// Walks through the boundaries of both sides in order of time, and sums the speech between them.
private struct TurnSweep {
    /// Seconds of speech in the reference, of missing and of extra speakers, and of speakers on both sides.
    private(set) var total = 0.0
    private(set) var missed = 0.0
    private(set) var falseAlarm = 0.0
    private(set) var paired = 0.0
    /// Seconds in which a speaker of the reference (row) and one of the hypothesis (column) both speak.
    private(set) var common: [[Double]]

    private enum Side { case reference, hypothesis, collar }

    private struct Boundary {
        var time: Double
        var side: Side
        var speaker: Int
        var change: Int
    }

    init(reference: [SpeakerTurn], hypothesis: [SpeakerTurn], scoring: DiarizationScoring) {
        let (said, saidCount) = Self.numbered(reference)
        let (heard, heardCount) = Self.numbered(hypothesis)
        // Without speakers the reference still has one row, whose length is the number of columns.
        common = Array(repeating: Array(repeating: 0, count: heardCount), count: max(1, saidCount))
        var boundaries = said.flatMap { Self.boundaries($0.turn.start, $0.turn.end, .reference, $0.speaker) }
        boundaries += heard.flatMap { Self.boundaries($0.turn.start, $0.turn.end, .hypothesis, $0.speaker) }
        if scoring.collar > 0 {
            boundaries += said.flatMap { [$0.turn.start, $0.turn.end] }.flatMap {
                Self.boundaries($0 - scoring.collar, $0 + scoring.collar, .collar, 0)
            }
        }
        boundaries.sort { $0.time < $1.time }
        add(boundaries, scoring)
    }

    private mutating func add(_ boundaries: [Boundary], _ scoring: DiarizationScoring) {
        var said = [Int](repeating: 0, count: common.count)
        var heard = [Int](repeating: 0, count: common[0].count)
        var collars = 0
        var last = boundaries.first?.time ?? 0
        for boundary in boundaries {
            let speaking = said.indices.filter { said[$0] > 0 }
            if boundary.time > last, collars == 0, !(scoring.skipsOverlap && speaking.count > 1) {
                add(boundary.time - last, speaking, heard.indices.filter { heard[$0] > 0 })
            }
            last = boundary.time
            switch boundary.side {
            case .collar: collars += boundary.change
            case .reference: said[boundary.speaker] += boundary.change
            case .hypothesis: heard[boundary.speaker] += boundary.change
            }
        }
    }

    private mutating func add(_ seconds: Double, _ speaking: [Int], _ found: [Int]) {
        total += seconds * Double(speaking.count)
        missed += seconds * Double(max(0, speaking.count - found.count))
        falseAlarm += seconds * Double(max(0, found.count - speaking.count))
        paired += seconds * Double(min(speaking.count, found.count))
        for row in speaking { for column in found { common[row][column] += seconds } }
    }

    private static func boundaries(_ start: Double, _ end: Double, _ side: Side, _ speaker: Int) -> [Boundary] {
        [
            Boundary(time: start, side: side, speaker: speaker, change: 1),
            Boundary(time: end, side: side, speaker: speaker, change: -1),
        ]
    }

    /// The turns of every speaker, joined where they touch, with numbers instead of names.
    private static func numbered(_ turns: [SpeakerTurn]) -> (turns: [(turn: SpeakerTurn, speaker: Int)], count: Int) {
        let names = Set(turns.map(\.speaker)).sorted()
        let joined = names.enumerated().flatMap { number, name in
            turns.filter { $0.speaker == name }.joined(within: 0).map { (turn: $0, speaker: number) }
        }
        return (joined, names.count)
    }
}

extension [SpeakerTurn] {
    /// The turns in order of time, joined where the pause between turns of one speaker is short enough.
    func joined(within pause: Double) -> [SpeakerTurn] {
        var joined: [SpeakerTurn] = []
        var lastOf: [String: Int] = [:]
        for turn in filter({ $0.end > $0.start }).sorted(by: { $0.start < $1.start }) {
            // A start plus a duration may differ from the next start in the last digit.
            if let last = lastOf[turn.speaker], turn.start - joined[last].end <= pause + 1e-6 {
                joined[last].end = Swift.max(joined[last].end, turn.end)
            } else {
                lastOf[turn.speaker] = joined.count
                joined.append(turn)
            }
        }
        return joined
    }
}
