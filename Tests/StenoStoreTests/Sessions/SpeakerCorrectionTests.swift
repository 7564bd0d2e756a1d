#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// Speaker labels corrected by a live session after their text is stored.
    struct SpeakerCorrectionTests {
        private let folder = HistoryFolder()

        private func final(_ id: Int, _ words: (text: String, speaker: String?)...) -> TranscriptionEvent {
            let segment = LiveSegment.spoken(words, id, utterance: id)
            return .init(.final(text: segment.text, segments: [segment]), position: segment.end)
        }

        private func correction(_ was: String, _ now: String, from start: Double = 0, to end: Double? = nil)
            -> TranscriptionEvent
        {
            .init(.speakers([SpeakerChange(start: start, end: end, was: was, now: now)]), position: 100)
        }

        private func speakers(of recorded: RecordedSession) async throws -> [[String?]] {
            try await recorded.store.segments(of: recorded.id).map { $0.words.map(\.speaker) }
        }

        @Test(arguments: [false, true]) func aCorrectionReachesStoredText(isEncrypted: Bool) async throws {
            var recorded = try await folder.recorded(in: folder.store(isEncrypted: isEncrypted))
            await recorded.take(final(0, (" One", "Speaker 1"), (" two", "Speaker 1")))
            await recorded.take(final(1, (" three", "Speaker 2")))
            #expect(try await speakers(of: recorded) == [["Speaker 1", "Speaker 1"], ["Speaker 2"]])
            await recorded.take(correction("Speaker 1", "Speaker 2", from: 1, to: 9))
            #expect(try await speakers(of: recorded) == [["Speaker 1", "Speaker 2"], ["Speaker 2"]])
            await recorded.take(correction("Speaker 2", "Ann"))
            #expect(try await speakers(of: recorded) == [["Speaker 1", "Ann"], ["Ann"]])
            let text = TranscriptFormat.txt.text(of: try await recorded.store.transcript(of: recorded.id))
            #expect(text == "Speaker 1: One\nAnn: two\nAnn: three\n")
            #expect(try await recorded.store.search("three").map(\.segment) == [1])
            #expect(await recorded.finish() && recorded.failures.all.isEmpty)
        }

        @Test func manuallySetSpeakersStay() async throws {
            var recorded = try await folder.recorded()
            await recorded.take(final(0, (" One", "Speaker 1")))
            try await recorded.store.setSpeaker("Cleo", of: 0, in: recorded.id)
            try await recorded.store.edit(0, of: recorded.id, " Won")
            await recorded.take(correction("Speaker 1", "Ann"))
            let segment = try #require(try await recorded.store.segments(of: recorded.id).first)
            #expect(segment.speaker == "Cleo" && segment.text == " Won" && segment.words.map(\.speaker) == ["Ann"])
        }

        /// The text matters more, and a later text's label is not the corrected one.
        @Test func aCorrectionThatCannotBeStoredIsMadeLater() async throws {
            var recorded = try await folder.recorded()
            await recorded.take(final(0, (" One", "Speaker 1")))
            try await recorded.store.refuse("UPDATE OF content ON segment")
            await recorded.take(correction("Speaker 1", "Ann"))
            await recorded.take(final(1, (" two", "Speaker 1")))
            #expect(try await speakers(of: recorded) == [["Speaker 1"], ["Speaker 1"]])
            let isDone = await recorded.finish()
            #expect(!isDone && recorded.failures.all.count == 1)
            try await recorded.store.allow()
            #expect(await recorded.finish() && recorded.failures.all.count == 1)
            #expect(try await speakers(of: recorded) == [["Ann"], ["Speaker 1"]])
        }

        @Test func aSnapshotBringsMissedCorrections() async throws {
            var recorded = try await folder.recorded()
            let first = final(0, (" One", "Speaker 1"), (" two", nil))
            let second = final(1, (" three", "Ann"))
            await recorded.take(first)
            var text = LiveTranscript()
            text.apply(first)
            text.apply(correction("Speaker 1", "Ann"))
            text.apply(second)
            await recorded.take(.init(.snapshot(text), position: 20))
            #expect(try await speakers(of: recorded) == [["Ann", nil], ["Ann"]])
            text.apply(correction("Ann", "Beth", from: 10))
            await recorded.take(.init(.snapshot(text), position: 20))
            #expect(try await speakers(of: recorded) == [["Ann", nil], ["Beth"]])
        }

        @Test func clearedTextNeedsNoCorrection() async throws {
            var recorded = try await folder.recorded()
            await recorded.take(final(0, (" One", "Speaker 1")))
            await recorded.take(.init(.cleared, position: 100))
            await recorded.take(correction("Speaker 1", "Ann"))
            await recorded.take(final(1, (" two", "Speaker 1")))
            #expect(try await speakers(of: recorded) == [["Speaker 1"]])
        }

        @Test func aDamagedTextDoesNotPreventOtherCorrections() async throws {
            var recorded = try await folder.recorded(in: folder.store(.random()))
            await recorded.take(final(0, (" One", "Speaker 1")))
            await recorded.take(final(1, (" two", "Speaker 1")))
            try await recorded.store.write {
                try $0.execute(sql: "UPDATE segment SET content = randomblob(length(content)) WHERE number = 0")
            }
            await recorded.take(correction("Speaker 1", "Ann"))
            #expect(await recorded.finish() && recorded.failures.all.isEmpty)
            await expectError(.historyDamaged, "segment 0") { _ = try await recorded.store.segments(of: recorded.id) }
            let row = try #require(
                try await recorded.store.read { try SegmentRow.filter(Column("number") == 1).fetchOne($0) })
            #expect(try recorded.store.segment(row, of: recorded.id).words.map(\.speaker) == ["Ann"])
        }
    }
#endif
