import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoEvaluation

@Suite struct EvaluationResultTests {
    private let folder = TemporaryFolder.ofSuite()

    private func file(
        _ name: String, _ said: String, _ heard: String, language: String? = "en",
        _ normalization: TextNormalization = .automatic
    ) throws -> EvaluatedFile {
        let item = EvaluationItem(name: name, audio: URL(fileURLWithPath: "/" + name), text: said, language: language)
        return EvaluatedFile(item, hypothesis: heard, duration: 4, elapsed: 0.5, scorer: try TextScorer(normalization))
    }

    private func result() throws -> EvaluationResult {
        EvaluationResult(
            model: "nano, int8", normalization: .automatic,
            files: [
                try file("one|a.wav", "The ferry leaves at dawn, Mr. Kim.", "the ferry leaves it dawn mister kim"),
                try file("two.wav", "It's five o'clock \"now\".", "It is 5 o'clock now so"),
                try file("three.wav", "", "you"),
            ], failures: ["four.wav"])
    }

    @Test func normalizationFollowsTheLanguage() throws {
        #expect(try file("a", "Colour, it's two!", "color it is 2").words.errors == 0)
        #expect(try file("a", "Colour, it's two!", "color it is 2", language: "de").words.errors == 3)
        #expect(try file("a", "Schöne Grüße!", "schöne grüße", language: "de").words == ErrorCounts(hits: 2))
        #expect(try file("a", "Schöne Grüße!", "schone grusse", language: "de").words.errors == 2)
        #expect(try file("a", "A b.", "a b", .none).words == ErrorCounts(substitutions: 2))
        #expect(try file("a", "it's two", "it is 2", .basic).words.errors > 0)
        #expect(try file("a", "it's two", "it is 2", language: "de", .english).words.errors == 0)
        // In scripts without spaces, every letter is a word, and spaces do not count as characters.
        let chinese = try file("a", "你好，世界。", "你好世间", language: "zh")
        #expect(chinese.words == ErrorCounts(hits: 3, substitutions: 1) && chinese.characters == chinese.words)
    }

    @Test func totalsAreSumsOverFiles() throws {
        let result = try result()
        #expect(result.files.map(\.words.errors) == [1, 1, 1] && result.files[2].words.rate == nil)
        #expect(result.total(.words) == ErrorCounts(hits: 11, substitutions: 1, insertions: 2))
        #expect(result.total(.words).rate == 0.25 && result.speed == 8)
        #expect(result.interval(.words) != nil)
    }

    @Test func withoutFilesThereIsNoRate() throws {
        let none = EvaluationResult(normalization: .automatic, failures: ["a.wav"])
        #expect(none.rate(.words) == nil)
        #expect(none.summary([.words]).hasPrefix("WER –: 0 errors in 0 words of 0 files"))
        let row = EvaluationTable(metrics: [.words], names: ["a.wav"]).totalRow(none)
        #expect(row.contains("–") && !row.contains("0.00"))
        #expect(none.json().contains("\"rate\": null"))
        #expect(try JSONDecoder().decode(EvaluationResult.self, from: Data(none.json().utf8)) == none)
        #expect(none.markdown([.words]).contains("| **total** | 0 | – |"))
    }

    @Test func jsonIsReadAgain() throws {
        let result = try result()
        let written = folder.url.appendingPathComponent("result.json")
        try EvaluationResult.write(result.json(), to: written)
        #expect(try EvaluationResult.load(written) == result)
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: written)) as? [String: Any]
        let wer = try #require(object?["wer"] as? [String: Any])
        #expect(wer["rate"] as? Double == 0.25)
        #expect((wer["interval"] as? [Double])?.count == 2)
        #expect(throws: StenoError.self) { try EvaluationResult.load(folder.write("{}", to: "other.json")) }
        // Counts that would overflow are refused.
        for count in [Int.max, -1] {
            let json = result.json().replacing("\"substitutions\": 1,", with: "\"substitutions\": \(count),")
            let written = try folder.write(json, to: "count.json")
            expectError(.evaluationInput, says: "one|a.wav") { try EvaluationResult.load(written) }
        }
    }

    @Test func destinationsAreCheckedBeforeTheWork() throws {
        try EvaluationResult.checkDestination(folder.url.appendingPathComponent("a.json"))
        #expect(throws: StenoError.self) { try EvaluationResult.checkDestination(folder.url) }
        #expect(throws: StenoError.self) {
            try EvaluationResult.checkDestination(folder.url.appendingPathComponent("none/a.json"))
        }
    }

    @Test func tableAndSummary() throws {
        let result = try result()
        let table = EvaluationTable(names: result.files.map(\.file))
        #expect(table.header == "file        words   WER %     sub     del     ins   CER %   speed\n")
        #expect(table.row(result.files[0]) == "one|a.wav       7   14.29       1       0       0    2.86     8.0\n")
        #expect(table.row(result.files[2]) == "three.wav       0       –       0       0       1       –     8.0\n")
        #expect(table.totalRow(result).hasPrefix("total          12   25.00       1       0       2"))
        let words = EvaluationTable(metrics: [.characters], names: [])
        #expect(words.header == "file   characters   CER %     sub     del     ins   speed\n")
        let summary = result.summary([.words])
        #expect(summary.hasPrefix("WER 25.00 % (95 % interval "))
        #expect(
            summary.contains("3 errors in 12 words of 3 files (1 substituted, 0 deleted, 2 inserted)\n12.0 s of audio"))
        #expect(summary.hasSuffix("not compared: four.wav\n"))
        // Without metrics only the speed is shown.
        let speeds = EvaluationTable(metrics: [], names: [])
        #expect(speeds.header == "file    speed\n" && speeds.totalRow(result) == "total     8.0\n")
        #expect(result.summary([]).hasPrefix("12.0 s of audio"))
        #expect(result.markdown([]).contains("\n| file | speed |\n"))
    }

    @Test func markdownHasTableAndDifferences() throws {
        let text = try result().markdown()
        #expect(text.contains("\n| `one\\|a.wav` | 7 | 14.29 | 1 | 0 | 0 | 2.86 | 8.0 |\n"))
        #expect(text.contains("\n- WER 25.00 %") && text.contains("**`two.wav`**\n\n```\n  said"))
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") && !$0.contains("one") }
        #expect(Set(rows.map { $0.count { $0 == "|" } }).count == 1)
    }

    @Test func differencesStandAboveEachOther() throws {
        let file = try file(
            "a", "so the ferry leaves at dawn for the far side of it all",
            "the ferry leaves it dawn for the far side of all")
        #expect(
            EvaluationDifferences.text(file) == """
                  said   so  the  ferry  leaves  at  dawn  for  the  far  side  of  it  all
                  heard  –   the  ferry  leaves  it  dawn  for  the  far  side  of  –   all
                         D                       S                                  D

                """)
        #expect(EvaluationDifferences.text(try self.file("a", "All well.", "all well")) == "")
    }

    @Test func longTextsShowOnlyTheErrorsNeighbours() throws {
        let words = (0..<200).map { "w\(UnicodeScalar(97 + $0 % 26).map(String.init) ?? "")x" }
        var heard = words
        heard[20] = "wrong"
        heard[150] = "東京"
        let text = EvaluationDifferences.text(
            try file("a", words.joined(separator: " "), heard.joined(separator: " "), .basic))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 8)
        #expect(text.contains("wrong") && text.contains("東京"))
        let narrow = EvaluationDifferences.text(
            try file("a", words.joined(separator: " "), heard.joined(separator: " "), .basic), width: 30)
        #expect(narrow.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 30 })
    }

    @Test func comparisonIsInTheSameNormalizationAndInPairs() throws {
        let scorer = try TextScorer(.automatic)
        let before = EvaluationResult(
            normalization: .none,
            files: [
                try file("two.wav", "It's five o'clock \"now\".", "It is 5", .none),
                try file(
                    "one|a.wav", "The ferry leaves at dawn, Mr. Kim.", "The ferry leaves at dawn, Mr. Kim.", .none),
                try file("other.wav", "a", "a", .none),
            ])
        let comparison = try EvaluationComparison(result(), with: before, scorer: scorer)
        #expect(comparison.fileCount == 2 && comparison.unmatchedCount == 2)
        #expect(comparison.differences.map(\.metric) == [.words, .characters])
        #expect(comparison.changedFiles.map(\.file) == ["one|a.wav", "two.wav"])
        #expect(comparison.changedFiles.map(\.after) == [1, 1])
        #expect(comparison.changedFiles.map(\.before) == [0, 3] && !comparison.differences[0].isSignificant)
        #expect(
            comparison.summary([.words]).hasPrefix(
                "compared on 2 files, 2 in one result only\nWER 25.00 % → 16.67 %: -8.33 points"))
        #expect(try result().json(comparison).contains("\"comparison\": {\"files\": 2, \"wer\": {\"before\": "))
        // Results of other texts are not compared.
        for files in [[try file("two.wav", "Something else.", "x")], []] {
            let other = EvaluationResult(normalization: .automatic, files: files)
            #expect(throws: StenoError.self) {
                try EvaluationComparison(result(), with: other, scorer: TextScorer(.automatic))
            }
        }
    }

    private func result(_ normalization: TextNormalization) throws -> EvaluationResult {
        let files = [
            try file("0.wav", "It's two, Mr. Kim.", "it is 2 mister kim", normalization),
            try file("1.wav", "Colour!", "color", normalization),
        ]
        return EvaluationResult(model: "nano", normalization: normalization, files: files, failures: ["lost.wav"])
    }

    @Test func aRescoredResultEqualsOneThatWasScoredSo() throws {
        let (english, none) = (try result(.english), try result(.none))
        #expect(english.total(.words).errors == 0 && none.total(.words).errors > 0)
        #expect(try english.rescored(TextScorer(.none)) == none)
        #expect(try none.rescored(TextScorer(.english)) == english)
        // The errors in the speakers stay: they stand on words that the result does not keep.
        var result = english
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
