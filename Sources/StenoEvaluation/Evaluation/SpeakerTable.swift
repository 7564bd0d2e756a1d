import Foundation
import Steno

extension EvaluationResult {
    /// Whether there are texts to compare; if not, only speaker turns were compared.
    package var hasTexts: Bool { files.isEmpty || files.contains { !$0.reference.isEmpty || !$0.hypothesis.isEmpty } }

    /// The speaker errors of all files together; the numbers of speakers are sums.
    public var speakerTotal: SpeakerErrors {
        let errors = files.compactMap(\.speakers)
        let (turns, words) = (errors.compactMap(\.diarization), errors.compactMap(\.words))
        return SpeakerErrors(
            diarization: turns.isEmpty ? nil : turns.reduce(DiarizationErrors(), +),
            words: words.isEmpty ? nil : words.reduce(WordSpeakerErrors(), +),
            speakers: errors.reduce(0) { $0 + $1.speakers }, found: errors.reduce(0) { $0 + $1.found })
    }

    /// The number of files in which the right number of speakers was found.
    public var speakerCountsRight: Int { files.count { $0.speakers.map { $0.speakers == $0.found } ?? false } }

    /// A text table of the speaker errors, with the totals in sentences; empty if speakers were not compared.
    public var speakerText: String {
        let rows = speakerRows
        guard !rows.isEmpty else { return "" }
        let width = rows.reduce(0) { max($0, TextWidth.of($1.name)) }
        let lines = ([("file", SpeakerTable.titles)] + rows).map { name, cells in
            let columns = zip(cells, SpeakerTable.titles).map { TextWidth.padLeft($0, to: TextWidth.of($1) + 2) }
            return TextWidth.pad(name, to: width) + columns.joined() + "\n"
        }
        return lines.joined() + "\n" + speakerSummary
    }

    /// One row per file, and one for the total.
    var speakerRows: [(name: String, cells: [String])] {
        let rows = files.compactMap { file in file.speakers.map { (name: file.file, cells: SpeakerTable.cells($0)) } }
        return rows.isEmpty ? [] : rows + [(name: "total", cells: SpeakerTable.cells(speakerTotal))]
    }

    private var speakerSummary: String {
        let (total, scoring) = (speakerTotal, diarization ?? DiarizationScoring())
        let count = files.count { $0.speakers != nil }
        var sentences = ["number of speakers right in \(speakerCountsRight) of \(count) files"]
        if let turns = total.diarization {
            let overlap = scoring.skipsOverlap ? ", without overlaps" : ""
            sentences.append(
                "DER \(Percent.withUnit(turns.rate)) of \(String(format: "%.1f", turns.total)) s of speech "
                    + "(collar \(scoring.collar) s on either side\(overlap))")
        }
        if let words = total.words {
            sentences.append(
                "cpWER \(Percent.withUnit(words.concatenated.rate)): \(words.concatenated.errors) errors in "
                    + "\(words.concatenated.referenceCount) words")
            sentences.append(
                "\(words.wrongSpeaker) of \(words.aligned) aligned words have the wrong speaker: "
                    + Percent.withUnit(words.wrongSpeakerRate))
        }
        return sentences.map { $0 + "\n" }.joined()
    }
}

/// The columns about speakers.
enum SpeakerTable {
    static let titles = ["speakers", "found", "DER %", "missed", "false", "confused", "cpWER %", "wrong %"]

    static func cells(_ errors: SpeakerErrors) -> [String] {
        let turns = errors.diarization
        func part(_ seconds: Double?) -> String {
            Percent.text(seconds.flatMap { part in turns.flatMap { $0.total > 0 ? part / $0.total : nil } })
        }
        return [
            String(errors.speakers), String(errors.found), Percent.text(turns?.rate), part(turns?.missed),
            part(turns?.falseAlarm), part(turns?.confusion), Percent.text(errors.words?.concatenated.rate),
            Percent.text(errors.words?.wrongSpeakerRate),
        ]
    }
}
