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

    @Test func aNegativeCollarIsNone() {
        #expect(DiarizationScoring(collar: -1).collar == 0)
        #expect(DiarizationScoring(collar: .nan).collar == 0)
    }

    @Test func diarizationErrorsEqualPyannotes() throws {
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
            #expect(errors.concatenated.errors == one.errors, "case \(number)")
            #expect(errors.concatenated.referenceCount == one.length, "case \(number)")
            #expect(errors.aligned == one.aligned, "case \(number)")
            #expect(errors.wrongSpeaker == one.wrong, "case \(number)")
        }
    }

    private func stretch(_ fields: [String]) -> SpokenStretch { SpokenStretch(text: fields[1], speaker: fields[0]) }
}
