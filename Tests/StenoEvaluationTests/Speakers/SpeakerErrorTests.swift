import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoEvaluation

/// Equality with pyannote.metrics and meeteval (`Tools/goldens/make_speaker_error_goldens.py`).
@Suite struct SpeakerErrorGoldenTests {
    private struct Goldens: Decodable {
        struct Turns: Decodable {
            let reference: [Turn]
            let hypothesis: [Turn]
            /// Total, missed, false alarm and confusion for every scoring.
            let results: [[Double]]
        }
        struct Words: Decodable {
            let reference: [[String]]
            let hypothesis: [[String]]
            let errors: Int
            let length: Int
            let aligned: Int
            let wrong: Int
        }
        let turns: [Turns]
        let words: [Words]
    }

    /// `[start, end, speaker]`.
    private struct Turn: Decodable {
        let turn: SpeakerTurn

        init(from decoder: any Decoder) throws {
            var fields = try decoder.unkeyedContainer()
            turn = SpeakerTurn(
                start: try fields.decode(Double.self), end: try fields.decode(Double.self),
                speaker: try fields.decode(String.self))
        }
    }

    private static let goldens = Result {
        try JSONDecoder().decode(Goldens.self, from: Data(contentsOf: Fixtures.file("evaluation/speakers.json")))
    }

    private static let scorings = [0, 0.25].flatMap { collar in
        [false, true].map { DiarizationScoring(collar: collar, skipsOverlap: $0) }
    }

    @Test func diarizationErrorsEqualPyannotes() throws {
        #expect(DiarizationScoring(collar: -1).collar == 0 && DiarizationScoring(collar: .nan).collar == 0)
        let cases = try Self.goldens.get().turns
        #expect(cases.count == 70)
        for (number, one) in cases.enumerated() {
            for (scoring, wanted) in zip(Self.scorings, one.results) {
                let errors = DiarizationErrors(
                    reference: one.reference.map(\.turn), hypothesis: one.hypothesis.map(\.turn), scoring: scoring)
                let found = [errors.total, errors.missed, errors.falseAlarm, errors.confusion]
                #expect(
                    zip(found, wanted).allSatisfy { abs($0 - $1) < 1e-5 }, "case \(number): \(found), not \(wanted)")
            }
        }
    }

    @Test func speakerWordErrorsEqualMeetevals() throws {
        let scorer = try TextScorer(.none)
        let cases = try Self.goldens.get().words
        #expect(cases.count == 46)
        for (number, one) in cases.enumerated() {
            let (said, heard) = (one.reference.map(stretch), one.hypothesis.map(stretch))
            let errors = WordSpeakerErrors(
                reference: said.words(scorer, language: "en"), hypothesis: heard.words(scorer, language: "en"))
            let found = [
                errors.concatenated.errors, errors.concatenated.referenceCount, errors.aligned, errors.wrongSpeaker,
            ]
            #expect(found == [one.errors, one.length, one.aligned, one.wrong], "case \(number)")
        }
    }

    private func stretch(_ fields: [String]) -> SpokenStretch { SpokenStretch(text: fields[1], speaker: fields[0]) }
}

@Suite struct AssignmentTests {
    /// The smallest sum, found by trying every assignment.
    private func smallest(_ costs: [[Double]], from row: Int = 0, used: Set<Int> = []) -> Double {
        guard row < costs.count else { return 0 }
        let columns = costs[row].indices.filter { !used.contains($0) }
        var sums = columns.map { costs[row][$0] + smallest(costs, from: row + 1, used: used.union([$0])) }
        // With fewer columns than rows some rows have none.
        if costs.count > costs[row].count { sums.append(smallest(costs, from: row + 1, used: used)) }
        return sums.min() ?? 0
    }

    private func sum(_ costs: [[Double]], _ columns: [Int?]) -> Double {
        zip(costs, columns).reduce(0) { sum, row in
            guard let column = row.1 else { return sum }
            return sum + row.0[column]
        }
    }

    @Test func noAssignmentIsCheaper() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<200 {
            let (rows, columns) = (Int.random(in: 1...6, using: &random), Int.random(in: 1...6, using: &random))
            let costs = (0..<rows).map { _ in (0..<columns).map { _ in -Double(Int.random(in: 0...9, using: &random)) }
            }
            let found = Assignment.minimum(costs)
            #expect(sum(costs, found) == smallest(costs))
            let taken = found.compactMap(\.self)
            #expect(taken.count == min(rows, columns) && Set(taken).count == taken.count)
        }
        // Nothing is assigned without rows or columns.
        #expect(Assignment.minimum([]) == [] && Assignment.minimum([[], []]) == [nil, nil])
        #expect(Assignment.maximum([[1, 5], [4, 5]]) == [1, 0])
    }
}

@Suite struct RTTMTests {
    @Test func linesOfSpeakersAreTurns() throws {
        let turns = try RTTM.parse(
            """
            ;; a comment
            SPKR-INFO talk 1 <NA> <NA> <NA> unknown anna <NA> <NA>
            SPEAKER talk 1 0.5 1.25 <NA> <NA> anna <NA> <NA>\r
            SPEAKER\tcall 1   2 3 <NA> <NA> Speaker_2

            SPEAKER talk 1 2 .5 <NA> <NA> bert <NA> <NA>
            """)
        #expect(
            turns == [
                "talk": [
                    SpeakerTurn(start: 0.5, end: 1.75, speaker: "anna"),
                    SpeakerTurn(start: 2, end: 2.5, speaker: "bert"),
                ],
                "call": [SpeakerTurn(start: 2, end: 5, speaker: "Speaker_2")],
            ])
        #expect(try RTTM.parse("").isEmpty)
        // A file of one recording is that of any name.
        let folder = try TemporaryFolder()
        let one = try folder.write("SPEAKER other 1 0 1 <NA> <NA> a\n", to: "talk.rttm")
        #expect(try RTTM.turns(of: "talk", in: one).count == 1)
        let two = try folder.write("SPEAKER one 1 0 1 <NA> <NA> a\nSPEAKER two 1 0 1 <NA> <NA> a\n", to: "both.rttm")
        expectError(says: "no recording talk: it has one, two") { try RTTM.turns(of: "talk", in: two) }
        #expect(try RTTM.turns(of: "talk", in: try folder.write("", to: "empty.rttm")) == [])
    }

    @Test func aWrongLineIsNamed() {
        for line in [
            "SPEAKER talk 1 0.5", "SPEAKER talk 1 x 1 <NA> <NA> a", "SPEAKER talk 1 1 -1 <NA> <NA> a",
            "SPEAKER talk 1 nan 1 <NA> <NA> a", "SPEAKER talk 1 1 inf <NA> <NA> a",
        ] {
            let error = #expect(throws: StenoError.self) { try RTTM.parse("\n" + line) }
            #expect(error?.message.hasPrefix("line 2: ") == true)
        }
    }
}
