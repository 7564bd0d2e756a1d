#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// Labels of speakers that a live session corrects after their text is stored.
    struct SpeakerCorrectionTests {
        private let folder = HistoryFolder()

        private func final(_ id: Int, _ words: (text: String, speaker: String?)...) -> TranscriptionEvent {
            let segment = LiveSegment.spoken(words, id, utterance: id)
            return .final(text: segment.text, segments: [segment], position: segment.end)
        }

        private func correction(_ was: String, _ now: String, from start: Double = 0, to end: Double? = nil)
            -> TranscriptionEvent
        {
            .speakers([SpeakerChange(start: start, end: end, was: was, now: now)], position: 100)
        }

        private func speakers(of id: UUID, in store: TranscriptStore) async throws -> [[String?]] {
            try await store.segments(of: id).map { $0.words.map(\.speaker) }
        }

        @Test(arguments: [false, true]) func aCorrectionReachesWhatIsStored(isEncrypted: Bool) async throws {
            let store = try await folder.store(isEncrypted ? .random() : .none)
            let writer = try await store.begin()
            let failures = Recorder<String>()
            var recorder = EventRecorder(writer) { failures.add("\($0)") }
            await recorder.take(final(0, (" One", "Speaker 1"), (" two", "Speaker 1")))
            await recorder.take(final(1, (" three", "Speaker 2")))
            #expect(try await speakers(of: writer.id, in: store) == [["Speaker 1", "Speaker 1"], ["Speaker 2"]])
            await recorder.take(correction("Speaker 1", "Speaker 2", from: 1, to: 9))
            #expect(try await speakers(of: writer.id, in: store) == [["Speaker 1", "Speaker 2"], ["Speaker 2"]])
            await recorder.take(correction("Speaker 2", "Ann"))
            #expect(try await speakers(of: writer.id, in: store) == [["Speaker 1", "Ann"], ["Ann"]])
            let text = TranscriptFormat.txt.text(of: try await store.transcript(of: writer.id))
            #expect(text == "Speaker 1: One\nAnn: two\nAnn: three\n")
            #expect(try await store.search("three").map(\.segment) == [1])
            #expect(await recorder.finish() && failures.all.isEmpty)
        }

        @Test func whatAPersonHasSetStays() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { _ in }
            await recorder.take(final(0, (" One", "Speaker 1")))
            try await store.setSpeaker("Cleo", of: 0, in: writer.id)
            try await store.edit(0, of: writer.id, " Won")
            await recorder.take(correction("Speaker 1", "Ann"))
            let segment = try #require(try await store.segments(of: writer.id).first)
            #expect(segment.speaker == "Cleo" && segment.text == " Won" && segment.words.map(\.speaker) == ["Ann"])
        }

        /// The text counts more, and a label that a later text has is not the corrected one.
        @Test func aCorrectionThatCannotBeStoredIsMadeLater() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            let failures = Recorder<String>()
            var recorder = EventRecorder(writer) { failures.add("\($0)") }
            await recorder.take(final(0, (" One", "Speaker 1")))
            try await store.write { database in
                try database.execute(
                    sql: "CREATE TRIGGER refusal BEFORE UPDATE OF content ON segment BEGIN "
                        + "SELECT RAISE(ABORT, 'no room'); END")
            }
            await recorder.take(correction("Speaker 1", "Ann"))
            await recorder.take(final(1, (" two", "Speaker 1")))
            #expect(try await speakers(of: writer.id, in: store) == [["Speaker 1"], ["Speaker 1"]])
            let isDone = await recorder.finish()
            #expect(!isDone && failures.all.count == 1)
            try await store.write { try $0.execute(sql: "DROP TRIGGER refusal") }
            #expect(await recorder.finish() && failures.all.count == 1)
            #expect(try await speakers(of: writer.id, in: store) == [["Ann"], ["Speaker 1"]])
        }

        @Test func aSnapshotBringsTheCorrectionsThatAReaderHasMissed() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { _ in }
            let first = final(0, (" One", "Speaker 1"), (" two", nil))
            let second = final(1, (" three", "Ann"))
            await recorder.take(first)
            var text = LiveTranscript()
            text.apply(first)
            text.apply(correction("Speaker 1", "Ann"))
            text.apply(second)
            await recorder.take(.snapshot(text, position: 20))
            #expect(try await speakers(of: writer.id, in: store) == [["Ann", nil], ["Ann"]])
            text.apply(correction("Ann", "Beth", from: 10))
            await recorder.take(.snapshot(text, position: 20))
            #expect(try await speakers(of: writer.id, in: store) == [["Ann", nil], ["Beth"]])
        }

        @Test func whatIsClearedNeedsNoCorrection() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { _ in }
            await recorder.take(final(0, (" One", "Speaker 1")))
            await recorder.take(.cleared(position: 100))
            await recorder.take(correction("Speaker 1", "Ann"))
            await recorder.take(final(1, (" two", "Speaker 1")))
            #expect(try await speakers(of: writer.id, in: store) == [["Speaker 1"]])
        }

        @Test func aDamagedTextKeepsNoOtherFromBeingCorrected() async throws {
            let store = try await folder.store(.random())
            let writer = try await store.begin()
            let failures = Recorder<String>()
            var recorder = EventRecorder(writer) { failures.add("\($0)") }
            await recorder.take(final(0, (" One", "Speaker 1")))
            await recorder.take(final(1, (" two", "Speaker 1")))
            try await store.write {
                try $0.execute(sql: "UPDATE segment SET content = randomblob(length(content)) WHERE number = 0")
            }
            await recorder.take(correction("Speaker 1", "Ann"))
            #expect(await recorder.finish() && failures.all.isEmpty)
            await expectError(.historyDamaged, "segment 0") { _ = try await store.segments(of: writer.id) }
            let row = try #require(
                try await store.read { try SegmentRow.filter(Column("number") == 1).fetchOne($0) })
            #expect(try store.segment(row, of: writer.id).words.map(\.speaker) == ["Ann"])
        }
    }
#endif
