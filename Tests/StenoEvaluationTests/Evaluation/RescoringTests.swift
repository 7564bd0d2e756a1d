import Foundation
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoEvaluation

/// A result in another normalisation, and the totals about speakers.
struct RescoringTests {
    private func result(_ normalization: TextNormalization) throws -> EvaluationResult {
        let scorer = try TextScorer(normalization)
        let texts = [("It's two, Mr. Kim.", "it is 2 mister kim"), ("Colour!", "color")]
        let files = texts.enumerated().map { number, texts in
            let name = "\(number).wav"
            let item = EvaluationItem(
                name: name, audio: URL(fileURLWithPath: "/" + name), text: texts.0, language: "en")
            return EvaluatedFile(item, hypothesis: texts.1, duration: 4, elapsed: 0.5, scorer: scorer)
        }
        return EvaluationResult(model: "nano", normalization: normalization, files: files, failures: ["lost.wav"])
    }

    @Test func itEqualsOneThatWasScoredSo() throws {
        let (english, none) = (try result(.english), try result(.none))
        #expect(english.total(.words).errors == 0 && none.total(.words).errors > 0)
        #expect(try english.rescored(TextScorer(.none)) == none)
        #expect(try none.rescored(TextScorer(.english)) == english)
    }

    /// They stand on words that the result does not keep.
    @Test func theErrorsInTheSpeakersStay() throws {
        var result = try result(.english)
        let errors = SpeakerErrors(
            diarization: DiarizationErrors(total: 10, missed: 1), words: nil, speakers: 2, found: 3)
        result.files[0].speakers = errors
        #expect(try result.rescored(TextScorer(.none)).files.map(\.speakers) == [errors, nil])
    }

    @Test func theTotalIsThatOfTheFilesThatHaveSpeakers() throws {
        var result = try result(.english)
        #expect(result.speakerTotal == SpeakerErrors(diarization: nil, words: nil, speakers: 0, found: 0))
        #expect(result.speakerCountsRight == 0)
        result.files[0].speakers = SpeakerErrors(
            diarization: DiarizationErrors(total: 10, missed: 1, confusion: 2), words: nil, speakers: 2, found: 2)
        #expect(result.speakerCountsRight == 1)
        result.files[1].speakers = SpeakerErrors(
            diarization: DiarizationErrors(total: 30, falseAlarm: 1), words: nil, speakers: 3, found: 2)
        let total = result.speakerTotal
        #expect(total.diarization == DiarizationErrors(total: 40, missed: 1, falseAlarm: 1, confusion: 2))
        #expect(total.words == nil && total.speakers == 5 && total.found == 4)
        #expect(result.speakerCountsRight == 1)
    }
}
