#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// Events of a live session on their way into the history.
    struct EventRecorderTests {
        private let folder = HistoryFolder()

        private func final(_ text: String, _ id: Int, partial: String = "") -> TranscriptionEvent {
            let rest = partial.isEmpty ? [] : [LiveSegment.saying(partial, id + 1)]
            return .final(text: text, segments: [.saying(text, id)], partials: rest, position: Double(id) + 1)
        }

        @Test func finalTextIsStoredAndPartialTextApart() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { _ in }
            await recorder.take(.language(LanguageDetection(language: "de", probability: 0.9), position: 1))
            await recorder.take(.partial(text: " Gut", segments: [], position: 1))
            #expect(try await store.partialText(of: writer.id) == " Gut")
            // Within a second of audio, partial text is not stored again.
            await recorder.take(.partial(text: " Guten", segments: [], position: 1.5))
            #expect(try await store.partialText(of: writer.id) == " Gut")
            await recorder.take(final(" Guten Tag.", 1, partial: " Ich"))
            #expect(try await store.partialText(of: writer.id) == " Ich")
            #expect(try await store.transcript(of: writer.id).text == "Guten Tag.")
            #expect(try await store.segments(of: writer.id).map(\.language) == ["de"])
            await recorder.take(.state(.finished, position: 3))
            #expect(await recorder.finish())
            let session = try await store.session(writer.id)
            #expect(session.state == .finished && session.language == "de" && session.duration == 3)
            #expect(try await store.partialText(of: writer.id).isEmpty)
        }

        @Test func aFullStopIsStoredWithTheWordThatItFollows() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { _ in }
            await recorder.take(final(" One", 0))
            await recorder.take(.utteranceEnd(0, mark: ".", position: 2))
            let stored = try await store.segments(of: writer.id)
            #expect(stored.map(\.text) == [" One."] && stored.flatMap(\.words).map(\.rawText) == [" One."])
            #expect(try await store.search("one").count == 1)
            // A reader that fell behind gets it with the snapshot.
            await recorder.take(final(" two", 1))
            var text = LiveTranscript()
            let segments: [LiveSegment] = [.saying(" One.", 0), .saying(" two!", 1), .saying(" three", 2)]
            text.apply(.final(text: " One. two! three", segments: segments, position: 4))
            await recorder.take(.snapshot(text, position: 4))
            #expect(try await store.segments(of: writer.id).map(\.text) == [" One.", " two!", " three"])
            #expect(await recorder.finish())
        }

        @Test func eventsThatBreakOffLeaveAnInterruptedSession() async throws {
            let store = try await folder.store()
            var writer: SessionWriter? = try await store.begin()
            let id = try #require(writer?.id)
            var recorder: EventRecorder? = writer.map { EventRecorder($0) { _ in } }
            writer = nil
            await recorder?.take(final(" Cut", 0, partial: " off"))
            #expect(await recorder?.finish() == true)
            recorder = nil
            #expect(try await store.session(id).state == .interrupted)
            #expect(try await store.partialText(of: id) == " off")
        }

        @Test func aRecordingThatIsEndedHasWhatWasSaidUpToThen() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            let session = TranscriptionEventBroadcast()
            let recording = SessionRecording(writer, session.events()) { _ in }
            session.send(final(" One", 0))
            recording.finish()
            session.send(final(" two", 1))
            #expect(await recording.wait())
            #expect(try await store.segments(of: writer.id).map(\.text) == [" One"])
            let stored = try await store.session(writer.id)
            #expect(stored.state == .finished && stored.duration == 1)
            session.finish()
        }

        @Test func aSnapshotBringsWhatCameBeforeTheReader() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { _ in }
            let first = LiveSegment.saying(" One", 0), second = LiveSegment.saying(" two", 1)
            var start = LiveTranscript()
            start.apply(.final(text: " One", segments: [first], position: 1))
            await recorder.take(.snapshot(start, position: 1))
            await recorder.take(.final(text: " two", segments: [second], position: 2))
            // A reader that fell behind gets everything again, and with it what is new.
            var text = LiveTranscript()
            text.apply(.final(text: " One two", segments: [first, second], position: 2))
            text.apply(.partial(text: " thr", segments: [.saying(" thr", 2)], position: 2))
            await recorder.take(.snapshot(text, position: 2))
            #expect(try await store.partialText(of: writer.id) == " thr")
            text.apply(final(" three", 2, partial: " fo"))
            await recorder.take(.snapshot(text, position: 3))
            #expect(try await store.partialText(of: writer.id) == " fo")
            #expect(try await store.segments(of: writer.id).map(\.text) == [" One", " two", " three"])
            #expect(await recorder.finish())
            #expect(try await store.session(writer.id).state == .recording)
            text.apply(.state(.finished, position: 4))
            await recorder.take(.snapshot(text, position: 4))
            #expect(await recorder.finish())
            #expect(try await store.session(writer.id).state == .finished)
        }

        @Test func aTranscriptThatIsClearedIsGone() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { _ in }
            await recorder.take(final(" Xylophone", 0))
            await recorder.take(.cleared(position: 2))
            #expect(try !folder.contains("Xylophone"))
            await recorder.take(final(" Zither", 1))
            #expect(try await store.transcript(of: writer.id).text == "Zither")
            #expect(try await store.session(writer.id).segmentCount == 1)
            #expect(try await store.search("xylophone").isEmpty)
            #expect(try await store.search("zither").count == 1)
        }

        @Test func aFullDiskIsReportedOnceAndTheTextIsStoredLater() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            let failures = Recorder<String>()
            var recorder = EventRecorder(writer) { failures.add("\($0)") }
            let pages = try await store.write { try Int.fetchOne($0, sql: "PRAGMA page_count") ?? 0 }
            _ = try await store.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages + 1)") }
            let long = String(repeating: " word", count: 20_000)
            for number in 0..<3 {
                await recorder.take(final(long, number))
                // There is room for it, and yet the text is missing.
                await recorder.take(.partial(text: " more \(number)", segments: [], position: Double(number) + 1.5))
                #expect(try await store.partialText(of: writer.id) == " more \(number)")
            }
            #expect(failures.all.count == 1)
            #expect(try await store.segments(of: writer.id).isEmpty)
            _ = try await store.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = 1000000") }
            await recorder.take(final(" End.", 3))
            #expect(try await store.segments(of: writer.id).map(\.id) == [0, 1, 2, 3])
            #expect(await recorder.finish() && failures.all.count == 1)
        }

        @Test func whatIsStoredLaterKeepsItsLanguage() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            let failures = Recorder<String>()
            var recorder = EventRecorder(writer) { failures.add("\($0)") }
            // Whatever keeps the disk from taking them: the session and its texts are refused.
            try await store.write { database in
                for statement in ["UPDATE OF language ON session", "INSERT ON segment"] {
                    try database.execute(
                        sql: "CREATE TRIGGER \"\(statement.prefix(6))\" BEFORE \(statement) BEGIN "
                            + "SELECT RAISE(ABORT, 'no room'); END")
                }
            }
            await recorder.take(.language(LanguageDetection(language: "de", probability: 0.9), position: 1))
            await recorder.take(final(" Guten Tag.", 0))
            await recorder.take(.language(LanguageDetection(language: "en", probability: 0.9), position: 1))
            #expect(try await store.session(writer.id).language == nil)
            #expect(failures.all.count == 1)
            try await store.write { database in
                for name in ["UPDATE", "INSERT"] { try database.execute(sql: "DROP TRIGGER \"\(name)\"") }
            }
            await recorder.take(final(" Good day.", 1))
            #expect(try await store.segments(of: writer.id).map(\.language) == ["de", "en"])
            #expect(try await store.session(writer.id).language == "de")
            #expect(await recorder.finish() && failures.all.count == 1)
        }

        @Test func aLanguageThatCannotBeStoredIsReportedOnceAlthoughTextsAre() async throws {
            let store = try await folder.store()
            let writer = try await store.begin()
            let failures = Recorder<String>(), losses = Recorder<Void>()
            var recorder = EventRecorder(writer, onFailure: { failures.add("\($0)") }, onLoss: { losses.add(()) })
            try await store.write { database in
                try database.execute(
                    sql: "CREATE TRIGGER refusal BEFORE UPDATE OF language ON session BEGIN "
                        + "SELECT RAISE(ABORT, 'no room'); END")
            }
            await recorder.take(.language(LanguageDetection(language: "de", probability: 0.9), position: 1))
            for number in 0..<3 { await recorder.take(final(" Wort", number)) }
            #expect(failures.all.count == 1 && losses.all.count == 1)
            #expect(try await store.segments(of: writer.id).map(\.language) == ["de", "de", "de"])
            let isDone = await recorder.finish()
            #expect(!isDone)
            try await store.write { try $0.execute(sql: "DROP TRIGGER refusal") }
            #expect(await recorder.finish() && failures.all.count == 1)
            #expect(try await store.session(writer.id).language == "de")
        }

        @Test func aProgramThatReadsWhatIsClearedHoldsNothingBack() async throws {
            let store = try await folder.store {}
            let writer = try await store.begin()
            let failures = Recorder<String>(), losses = Recorder<Void>()
            var recorder = EventRecorder(writer, onFailure: { failures.add("\($0)") }, onLoss: { losses.add(()) })
            await recorder.take(final(" Xylophone", 0))
            let other = try await LogReader(store)
            await recorder.take(.cleared(position: 2))
            await recorder.take(final(" Zither", 2))
            await recorder.take(final(" and marimba", 70))
            #expect(failures.all.count == 1 && losses.all.isEmpty)
            #expect(try await store.segments(of: writer.id).map(\.text) == [" Zither", " and marimba"])
            await recorder.take(.state(.finished, position: 71))
            let isDone = await recorder.finish()
            #expect(try !isDone && folder.contains("Xylophone"))
            #expect(try await store.session(writer.id).state == .finished)
            try await other.end()
            #expect(await recorder.finish())
            #expect(try !folder.contains("Xylophone") && folder.contains("Zither"))
            #expect(failures.all.count == 1)
        }

        /// A session of hours needs no end to be rid of it, and nothing that is stored waits for a reader.
        @Test func whatWasClearedIsRemovedWhenNobodyReadsItAnyMore() async throws {
            let waits = Recorder<Void>(), failures = Recorder<String>()
            let store = try await folder.store { waits.add(()) }
            let writer = try await store.begin()
            var recorder = EventRecorder(writer) { failures.add("\($0)") }
            await recorder.take(final(" Xylophone", 0))
            let other = try await LogReader(store)
            await recorder.take(.cleared(position: 2))
            await recorder.take(final(" Zither", 3))
            #expect(failures.all.isEmpty, "a reader may end within a moment")
            await recorder.take(final(" again", 20))
            #expect(failures.all.count == 1)
            try await other.end()
            await recorder.take(final(" and", 79))
            #expect(try folder.contains("Xylophone"))
            await recorder.take(final(" marimba", 80))
            #expect(try !folder.contains("Xylophone"))
            #expect(failures.all.count == 1 && waits.all.isEmpty)
        }

        @Test func whatWasClearedIsRemovedWithTheNextFinalTextOnceAReaderHasEnded() async throws {
            let store = try await folder.store()
            let failures = Recorder<String>()
            var recorder = EventRecorder(try await store.begin()) { failures.add("\($0)") }
            await recorder.take(final(" Xylophone", 0))
            let other = try await LogReader(store)
            await recorder.take(.cleared(position: 2))
            try await other.end()
            await recorder.take(final(" Zither", 3))
            #expect(try !folder.contains("Xylophone") && failures.all.isEmpty)
        }
    }
#endif
