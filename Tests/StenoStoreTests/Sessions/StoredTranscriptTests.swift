#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    struct StoredTranscriptTests {
        private let folder = HistoryFolder()
        private let finals: [LiveSegment] = [
            .spoken([(" One", "Ann"), (" two.", "Ben")], 0), .spoken([(" Three.", "Ben")], 1),
            .spoken([(" Four.", "Ann")], 2, utterance: 1),
        ]

        private func stored(_ finals: [LiveSegment]? = nil, in store: TranscriptStore) async throws -> UUID {
            let writer = try await store.begin(language: "en")
            try await writer.append(finals ?? self.finals)
            try await writer.finish(duration: 30)
            return writer.id
        }

        private func text(
            of id: UUID, in store: TranscriptStore, _ format: TranscriptFormat = .txt
        ) async throws -> String {
            format.text(of: try await store.transcript(of: id), subtitles: .readable)
        }

        @Test func exportsNameSpeakersLikeALiveSession() async throws {
            let store = try await folder.store()
            let id = try await stored(in: store)
            let live = LiveTranscript(stored: finals, position: 30).transcript(language: "en")
            let transcript = try await store.transcript(of: id)
            #expect(transcript.segments.map(\.speaker) == ["Ann", "Ben", "Ann"])
            #expect(transcript.segments.map(\.text) == [" One", " two. Three.", " Four."])
            #expect(transcript.segments.map(\.id) == [0, 1, 2])
            for format in TranscriptFormat.allCases {
                let text = try await text(of: id, in: store, format)
                #expect(text == format.text(of: live, subtitles: .readable), "\(format)")
                #expect(text.contains("Ben"), "\(format)")
            }
            #expect(try await text(of: id, in: store) == "Ann: One\nBen: two. Three.\nAnn: Four.\n")
        }

        @Test func manuallySetSpeakersAreInEveryFormat() async throws {
            let store = try await folder.store()
            let id = try await stored(in: store)
            try await store.setSpeaker("Cleo", of: 0, in: id)
            #expect(try await text(of: id, in: store) == "Cleo: One two.\nBen: Three.\nAnn: Four.\n")
            for format in TranscriptFormat.allCases {
                #expect(try await text(of: id, in: store, format).contains("Cleo"), "\(format)")
            }
            let transcript = try await store.transcript(of: id)
            #expect(transcript.speakers == ["Cleo", "Ben", "Ann"])
            #expect(transcript.words.map(\.speaker) == ["Cleo", "Cleo", "Ben", "Ann"])
            try await store.setSpeaker(nil, of: 0, in: id)
            #expect(try await text(of: id, in: store) == "Ann: One\nBen: two. Three.\nAnn: Four.\n")
            // A speaker can be set where none was recognised.
            let unnamed = try await store.add([" One.", " Two."])
            try await store.setSpeaker("Cleo", of: 1, in: unnamed)
            #expect(try await text(of: unnamed, in: store) == "One.\nCleo: Two.\n")
        }

        /// Even if it became final with the next word, as in a live transcript.
        @Test func punctuationBelongsToThePrecedingWord() async throws {
            let finals: [LiveSegment] = [
                .spoken([(" One", "Ann")], 0), .spoken([(".", "Ann"), (" Two", "Ben")], 1),
                .spoken([("?", "Ben"), (" Three", "Ben")], 2),
            ]
            let store = try await folder.store()
            let id = try await stored(finals, in: store)
            let transcript = try await store.transcript(of: id)
            let live = LiveTranscript(stored: finals, position: 30).transcript(language: "en")
            for words in [transcript.words, live.words] {
                #expect(words.map(\.rawText) == [" One.", " Two?", " Three"])
                #expect(words.map(\.speaker) == ["Ann", "Ben", "Ben"])
            }
            try await store.edit(1, of: id, ". Too")
            let edited = try await store.transcript(of: id)
            #expect(edited.segments.map(\.text) == [" One", ". Too? Three"])
            #expect(edited.segments.map(\.speaker) == ["Ann", "Ben"])
        }

        @Test func anEditedTextBelongsToItsFirstSpeaker() async throws {
            let store = try await folder.store()
            let id = try await stored(in: store)
            try await store.edit(0, of: id, " Won too.")
            let transcript = try await store.transcript(of: id)
            #expect(transcript.segments.map(\.text) == [" Won too.", " Three.", " Four."])
            #expect(transcript.segments.map(\.speaker) == ["Ann", "Ben", "Ann"])
            #expect(transcript.segments.map(\.words?.count) == [nil, 1, 1])
        }
    }

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
            await recorded.take(
                final(0, (" One", "Speaker 1"), (" two", "Speaker 1")), final(1, (" three", "Speaker 2")))
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
            await recorded.take(correction("Speaker 1", "Ann"), final(1, (" two", "Speaker 1")))
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
            await recorded.take(final(0, (" One", "Speaker 1")), .cleared(at: 100), correction("Speaker 1", "Ann"))
            await recorded.take(final(1, (" two", "Speaker 1")))
            #expect(try await speakers(of: recorded) == [["Speaker 1"]])
        }

        @Test func aDamagedTextDoesNotPreventOtherCorrections() async throws {
            var recorded = try await folder.recorded(in: folder.store(.random()))
            await recorded.take(final(0, (" One", "Speaker 1")), final(1, (" two", "Speaker 1")))
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
