import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore
@testable import StenoEvaluation

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
    }

    @Test(arguments: [
        "SPEAKER talk 1 0.5", "SPEAKER talk 1 x 1 <NA> <NA> a", "SPEAKER talk 1 1 -1 <NA> <NA> a",
        "SPEAKER talk 1 nan 1 <NA> <NA> a", "SPEAKER talk 1 1 inf <NA> <NA> a",
    ])
    func aWrongLineIsNamed(line: String) throws {
        let error = #expect(throws: StenoError.self) { try RTTM.parse("\n" + line) }
        #expect(error?.message.hasPrefix("line 2: ") == true)
    }

    @Test func aFileOfOneRecordingIsThatOfAnyName() throws {
        let folder = try TemporaryFolder()
        let one = try folder.write("SPEAKER other 1 0 1 <NA> <NA> a\n", to: "talk.rttm")
        #expect(try RTTM.turns(of: "talk", in: one).count == 1)
        let two = try folder.write("SPEAKER one 1 0 1 <NA> <NA> a\nSPEAKER two 1 0 1 <NA> <NA> a\n", to: "both.rttm")
        expectError(says: "no recording talk: it has one, two") { try RTTM.turns(of: "talk", in: two) }
        #expect(try RTTM.turns(of: "talk", in: try folder.write("", to: "empty.rttm")) == [])
    }
}
