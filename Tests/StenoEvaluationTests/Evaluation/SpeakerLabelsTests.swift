import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoEvaluation

/// Where labels come from, and what is made of them.
@Suite struct SpeakerLabelsTests {
    private let folder = TemporaryFolder.ofSuite()

    private let line = """
        {"file": "talk.wav", "text": "Hello there. Twenty one.", "language": "en", "segments": [\
        {"speaker": "anna", "start": 0, "end": 1, "text": "Hello there."}, \
        {"speaker": "bert", "start": 1, "end": 2, "text": "Twenty one."}]}
        """

    private func item(_ line: String) throws -> EvaluationItem {
        try #require(try EvaluationManifest.load(try folder.write(line, to: "test.jsonl")).items.first)
    }

    @Test func aManifestsSegmentsHaveTurnsAndWords() throws {
        let item = try item(line)
        let labels = try item.labels()
        #expect(labels.turns?.map(\.speaker) == ["anna", "bert"])
        let words = try #require(labels.stretches).words(try TextScorer(), language: "en")
        #expect(words.map(\.text) == ["hello", "there", "21"])
        #expect(words.map(\.speaker) == ["anna", "anna", "bert"])
        // Turns beside the recording are taken instead.
        try folder.write("SPEAKER x 1 0.25 0.5 <NA> <NA> anna <NA> <NA>\n", to: "talk.rttm")
        let beside = try self.item(line).labels()
        #expect(beside.turns == [SpeakerTurn(start: 0.25, end: 0.75, speaker: "anna")])
        #expect(beside.stretches?.count == 2)
    }

    @Test func withoutSpeakersTheMessageSaysWhatToDo() throws {
        let unlabelled = try item(#"{"file": "talk.wav", "text": "a", "segments": [{"words": [{"word": "a"}]}]}"#)
        expectError(says: "talk.rttm") { try unlabelled.labels() }
        // Segments of another layout are ignored.
        #expect(try item(#"{"file": "talk.wav", "text": "a", "segments": "one"}"#).stretches == nil)
    }

    @Test func transcriptsHaveTheLabelsOfTheirWords() throws {
        let words = [
            Word(rawText: " Hello", start: 0, end: 0.5, probability: 1, speaker: "Speaker 1"),
            Word(rawText: " there.", start: 0.7, end: 1, probability: 1, speaker: "Speaker 1"),
            Word(rawText: " No.", start: 1.5, end: 2, probability: 1, speaker: "Speaker 2"),
        ]
        let transcript = Transcript(
            language: "en", duration: 2,
            segments: [Segment(id: 0, start: 0, end: 2, text: " Hello there. No.", words: words)])
        #expect(
            SpeakerLabels(transcript).turns == [
                SpeakerTurn(start: 0, end: 1, speaker: "Speaker 1"),
                SpeakerTurn(start: 1.5, end: 2, speaker: "Speaker 2"),
            ])
        try folder.write(TranscriptFormat.json.text(of: transcript), to: "found/talk.json")
        let item = EvaluationItem(name: "talk.wav", audio: folder.url.appendingPathComponent("talk.wav"), text: "")
        #expect(
            try HypothesisFolder(folder.url.appendingPathComponent("found")).labels(for: item)
                == SpeakerLabels(transcript))
    }

    @Test func pausesSplitTurns() throws {
        let turns = [(0.0, 1.0, "a"), (1.2, 2.0, "a"), (2.0, 2.5, "b"), (2.5, 3.0, "a")].map {
            SpokenStretch(text: "x", speaker: $0.2, start: $0.0, end: $0.1)
        }.turns
        #expect(turns.map(\.start) == [0, 2, 2.5] && turns.map(\.end) == [2, 2.5, 3])
        // Those that touch are one: 0.1 + 0.2 is a little more than 0.3.
        let touching = try RTTM.parse("SPEAKER a 1 0.1 0.2 <NA> <NA> x\nSPEAKER a 1 0.3 0.3 <NA> <NA> x\n")["a"] ?? []
        let gap = [
            SpeakerTurn(start: 0, end: 0.1, speaker: "x"), SpeakerTurn(start: 0.1 + 1e-12, end: 1, speaker: "x"),
        ]
        #expect(touching.joined(within: 0).count == 1 && gap.joined(within: 0).count == 1)
    }

    @Test func wordsWithoutSpeakersAreWrong() throws {
        let said = [SpokenStretch(text: "one two", speaker: "a")]
        let heard = [SpokenStretch(text: "one", speaker: "x"), SpokenStretch(text: "two", speaker: nil)]
        let scorer = try TextScorer(.none)
        let errors = WordSpeakerErrors(
            reference: said.words(scorer, language: nil), hypothesis: heard.words(scorer, language: nil))
        #expect(errors.aligned == 2 && errors.wrongSpeaker == 1)
        #expect(errors.wrongSpeakerRate == 0.5 && errors.concatenated.errors == 2)
    }

    @Test func aResultKeepsTheErrorsInItsJSON() throws {
        let item = EvaluationItem(
            name: "talk.wav", audio: folder.url.appendingPathComponent("talk.wav"), text: "one two")
        var file = EvaluatedFile(item, hypothesis: "one two", scorer: try TextScorer())
        file.speakers = SpeakerErrors(
            diarization: DiarizationErrors(total: 10, missed: 0.5, falseAlarm: 0.25, confusion: 1),
            words: WordSpeakerErrors(concatenated: ErrorCounts(hits: 2), aligned: 2, wrongSpeaker: 0), speakers: 2,
            found: 3)
        var result = EvaluationResult(normalization: .automatic, files: [file])
        result.diarization = DiarizationScoring(collar: 0.1, skipsOverlap: true)
        #expect(try EvaluationResult.load(folder.write(result.json(), to: "out.json")) == result)
        #expect(result.speakerText.contains("right in 0 of 1 files\nDER 17.50 % of 10.0 s"))
        #expect(result.markdown().contains("| `talk.wav` | 2 | 3 | 17.50 | 5.00 | 2.50 | 10.00 | 0.00 | 0.00 |"))
    }
}
