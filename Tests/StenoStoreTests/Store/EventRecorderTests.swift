#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// A live session's events on their way into the history.
    struct EventRecorderTests {
        private let folder = HistoryFolder()

        private let german = TranscriptionEvent(
            .language(LanguageDetection(language: "de", probability: 0.9)), position: 1)
        @Test func finalAndPartialTextAreStoredSeparately() async throws {
            var recorded = try await folder.recorded()
            await recorded.take(german, .init(.partial(text: " Gut", segments: []), position: 1))
            #expect(try await recorded.partialText() == " Gut")
            // Within a second of audio, partial text is not stored again.
            await recorded.take(.init(.partial(text: " Guten", segments: []), position: 1.5))
            #expect(try await recorded.partialText() == " Gut")
            await recorded.take(.saying(" Guten Tag.", 1, partial: " Ich"))
            #expect(try await recorded.partialText() == " Ich")
            #expect(try await recorded.store.transcript(of: recorded.id).text == "Guten Tag.")
            #expect(try await recorded.store.segments(of: recorded.id).map(\.language) == ["de"])
            await recorded.take(.init(.state(.finished), position: 3))
            #expect(await recorded.finish())
            let session = try await recorded.stored()
            #expect(session.state == .finished && session.language == "de" && session.duration == 3)
            #expect(try await recorded.partialText().isEmpty)
        }

        @Test func aFullStopIsStoredWithThePrecedingWord() async throws {
            var recorded = try await folder.recorded()
            await recorded.take(.saying(" One", 0), .init(.utteranceEnd(0, mark: "."), position: 2))
            let stored = try await recorded.store.segments(of: recorded.id)
            #expect(stored.map(\.text) == [" One."] && stored.flatMap(\.words).map(\.rawText) == [" One."])
            #expect(try await recorded.store.search("one").count == 1)
            // A reader that fell behind gets it with the snapshot.
            await recorded.take(.saying(" two", 1))
            var text = LiveTranscript()
            let segments: [LiveSegment] = [.saying(" One.", 0), .saying(" two!", 1), .saying(" three", 2)]
            text.apply(.init(.final(text: " One. two! three", segments: segments), position: 4))
            await recorded.take(.init(.snapshot(text), position: 4))
            #expect(try await recorded.texts() == [" One.", " two!", " three"])
            #expect(await recorded.finish())
        }

        @Test func eventsThatStopLeaveAnInterruptedSession() async throws {
            let store = try await folder.store()
            let id = try await store.interrupt { writer in
                var recorder = EventRecorder(writer) { _ in }
                await recorder.take(.saying(" Cut", 0, partial: " off"))
                #expect(await recorder.finish())
            }
            #expect(try await store.session(id).state == .interrupted)
            #expect(try await store.partialText(of: id) == " off")
        }

        @Test func anEndedRecordingHasTheTextUpToThatMoment() async throws {
            let (store, writer) = try await folder.begun()
            let session = TranscriptionEventBroadcast()
            let recording = SessionRecording(writer, session.events()) { _ in }
            session.send(.saying(" One", 0))
            recording.finish()
            session.send(.saying(" two", 1))
            #expect(await recording.wait())
            #expect(try await store.segments(of: writer.id).map(\.text) == [" One"])
            let stored = try await store.session(writer.id)
            #expect(stored.state == .finished && stored.duration == 1)
            session.finish()
        }

        @Test func aSnapshotBringsEarlierText() async throws {
            var recorded = try await folder.recorded()
            var start = LiveTranscript()
            start.apply(.saying(" One", 0))
            await recorded.take(.init(.snapshot(start), position: 1), .saying(" two", 1))
            // A reader that fell behind gets everything again, including what is new.
            var text = LiveTranscript()
            let segments = [LiveSegment.saying(" One", 0), .saying(" two", 1)]
            text.apply(.init(.final(text: " One two", segments: segments), position: 2))
            text.apply(.init(.partial(text: " thr", segments: [.saying(" thr", 2)]), position: 2))
            await recorded.take(.init(.snapshot(text), position: 2))
            #expect(try await recorded.partialText() == " thr")
            text.apply(.saying(" three", 2, partial: " fo"))
            await recorded.take(.init(.snapshot(text), position: 3))
            #expect(try await recorded.partialText() == " fo")
            #expect(try await recorded.texts() == [" One", " two", " three"])
            #expect(await recorded.finish())
            #expect(try await recorded.stored().state == .recording)
            text.apply(.init(.state(.finished), position: 4))
            await recorded.take(.init(.snapshot(text), position: 4))
            #expect(await recorded.finish())
            #expect(try await recorded.stored().state == .finished)
        }

        @Test func aClearedTranscriptIsGone() async throws {
            var recorded = try await folder.recorded()
            await recorded.take(.saying(" Xylophone", 0), .cleared(at: 2))
            #expect(try !folder.contains("Xylophone"))
            await recorded.take(.saying(" Zither", 1))
            #expect(try await recorded.store.transcript(of: recorded.id).text == "Zither")
            #expect(try await recorded.stored().segmentCount == 1)
            #expect(try await recorded.store.search("xylophone").isEmpty)
            #expect(try await recorded.store.search("zither").count == 1)
        }

        /// Clearing also concerns text that has not reached the disk.
        @Test func aClearedTextThatWasNotStoredYetNeverIs() async throws {
            var recorded = try await folder.recorded()
            try await recorded.store.refuse("INSERT ON segment")
            await recorded.take(.saying(" Xylophone", 0))
            #expect(recorded.failures.all.count == 1)
            await recorded.take(.cleared(at: 2))
            try await recorded.store.allow()
            await recorded.take(.saying(" Zither", 1))
            #expect(try await recorded.texts() == [" Zither"])
            #expect(await recorded.finish())
            #expect(try !folder.contains("Xylophone"))
        }

        @Test func aFullDiskIsReportedOnceAndTheTextIsStoredLater() async throws {
            var recorded = try await folder.recorded()
            let pages = try await recorded.store.write { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
            _ = try await recorded.store.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages + 1)") }
            let long = String(repeating: " word", count: 20_000)
            for number in 0..<3 {
                await recorded.take(.saying(long, number))
                // There is room for it, but the text is missing.
                await recorded.take(
                    .init(.partial(text: " more \(number)", segments: []), position: Double(number) + 1.5))
                #expect(try await recorded.partialText() == " more \(number)")
            }
            #expect(recorded.failures.all.count == 1)
            #expect(try await recorded.store.segments(of: recorded.id).isEmpty)
            _ = try await recorded.store.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = 1000000") }
            await recorded.take(.saying(" End.", 3))
            #expect(try await recorded.store.segments(of: recorded.id).map(\.id) == [0, 1, 2, 3])
            #expect(await recorded.finish() && recorded.failures.all.count == 1)
        }

        @Test func textStoredLaterKeepsItsLanguage() async throws {
            var recorded = try await folder.recorded()
            // The session and its texts are refused, as by a failing disk.
            try await recorded.store.refuse("UPDATE OF language ON session", by: "language")
            try await recorded.store.refuse("INSERT ON segment", by: "text")
            let english = TranscriptionEvent(
                .language(LanguageDetection(language: "en", probability: 0.9)), position: 1)
            await recorded.take(german, .saying(" Guten Tag.", 0), english)
            #expect(try await recorded.stored().language == nil)
            #expect(recorded.failures.all.count == 1)
            for name in ["language", "text"] { try await recorded.store.allow(name) }
            await recorded.take(.saying(" Good day.", 1))
            #expect(try await recorded.store.segments(of: recorded.id).map(\.language) == ["de", "en"])
            #expect(try await recorded.stored().language == "de")
            #expect(await recorded.finish() && recorded.failures.all.count == 1)
        }

        @Test func aLanguageThatCannotBeStoredIsReportedOnceEvenIfTextsCan() async throws {
            var recorded = try await folder.recorded()
            try await recorded.store.refuse("UPDATE OF language ON session")
            await recorded.take(german, .saying(" Wort", 0), .saying(" Wort", 1), .saying(" Wort", 2))
            #expect(recorded.failures.all.count == 1 && recorded.losses.all.count == 1)
            #expect(try await recorded.store.segments(of: recorded.id).map(\.language) == ["de", "de", "de"])
            let isDone = await recorded.finish()
            #expect(!isDone)
            try await recorded.store.allow()
            #expect(await recorded.finish() && recorded.failures.all.count == 1)
            #expect(try await recorded.stored().language == "de")
        }

        @Test func aReaderOfClearedTextDelaysNothing() async throws {
            var recorded = try await folder.recorded(in: folder.store {})
            await recorded.take(.saying(" Xylophone", 0))
            let other = try await LogReader(recorded.store)
            await recorded.take(.cleared(at: 2), .saying(" Zither", 2), .saying(" and marimba", 70))
            #expect(recorded.failures.all.count == 1 && recorded.losses.all.isEmpty)
            #expect(try await recorded.texts() == [" Zither", " and marimba"])
            await recorded.take(.init(.state(.finished), position: 71))
            let isDone = await recorded.finish()
            #expect(try !isDone && folder.contains("Xylophone"))
            #expect(try await recorded.stored().state == .finished)
            try await other.end()
            #expect(await recorded.finish())
            #expect(try !folder.contains("Xylophone") && folder.contains("Zither"))
            #expect(recorded.failures.all.count == 1)
        }

        /// A session of hours need not end first, and nothing stored waits for a reader.
        @Test func clearedTextIsRemovedOnceNobodyReadsIt() async throws {
            let waits = Recorder<Void>()
            var recorded = try await folder.recorded(in: folder.store { waits.add(()) })
            await recorded.take(.saying(" Xylophone", 0))
            let other = try await LogReader(recorded.store)
            await recorded.take(.cleared(at: 2), .saying(" Zither", 3))
            #expect(recorded.failures.all.isEmpty, "a reader may end within a moment")
            await recorded.take(.saying(" again", 20))
            #expect(recorded.failures.all.count == 1)
            try await other.end()
            await recorded.take(.saying(" and", 79))
            #expect(try folder.contains("Xylophone"))
            await recorded.take(.saying(" marimba", 80))
            #expect(try !folder.contains("Xylophone"))
            #expect(recorded.failures.all.count == 1 && waits.all.isEmpty)
        }

        @Test func clearedTextIsRemovedWithTheNextFinalTextAfterTheReaderEnds() async throws {
            var recorded = try await folder.recorded()
            await recorded.take(.saying(" Xylophone", 0))
            let other = try await LogReader(recorded.store)
            await recorded.take(.cleared(at: 2))
            try await other.end()
            await recorded.take(.saying(" Zither", 3))
            #expect(try !folder.contains("Xylophone") && recorded.failures.all.isEmpty)
        }
    }
#endif
