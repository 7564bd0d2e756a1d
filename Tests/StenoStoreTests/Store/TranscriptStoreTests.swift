#if Store
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    struct TranscriptStoreTests {
        private let folder = HistoryFolder()

        @Test func appendedTextIsReadByAnotherStore() async throws {
            let writer = try await folder.store().begin(
                title: "Lunch", source: "microphone", language: "en", model: "base")
            try await writer.append([.saying(" One", 0), .saying(" two.", 1)], language: "en")
            try await writer.append([.saying(" Drei.", 2, utterance: 1)], language: "de")
            try await writer.finish(duration: 4.5)

            let store = try await folder.store()
            let session = try #require(try await store.sessions().first)
            #expect(session.title == "Lunch" && session.source == "microphone" && session.model == "base")
            #expect(session.state == .finished && session.duration == 4.5 && session.segmentCount == 3)
            #expect(session.end != nil)
            let segments = try await store.segments(of: writer.id)
            #expect(segments.map(\.text) == [" One", " two.", " Drei."] && segments.map(\.id) == [0, 1, 2])
            #expect(segments[1].words == [Word(rawText: " two.", start: 1, end: 2, probability: 0.5)])
            let transcript = try await store.transcript(of: writer.id)
            #expect(transcript.segments.map(\.text) == [" One two.", " Drei."])
            #expect(transcript.segments.map(\.language) == [nil, "de"])
            #expect(transcript.words.count == 3 && transcript.duration == 4.5 && transcript.language == "en")
        }

        /// The pool's own NORMAL would lose acknowledged text in a power failure.
        @Test func acknowledgedTextIsFlushedToTheDisk() async throws {
            let store = try await folder.store()
            #expect(try await store.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 2)
            #expect(try await store.write { try Int.fetchOne($0, sql: "PRAGMA secure_delete") } == 1)
            #expect(try await store.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
        }

        @Test func aSessionWithoutItsWriterWasInterrupted() async throws {
            let store = try await folder.store()
            var writer: SessionWriter? = try await store.begin(title: "Cut off")
            let id = try #require(writer?.id)
            try await writer?.append([.saying(" One", 0)])
            try await writer?.setPartial(" two thr")
            // Another store sees that it is being recorded and does not touch it.
            let other = try await folder.store()
            #expect(try await other.session(id).state == .recording)
            await expectError(.sessionInUse) { try await other.delete([id]) }
            await expectError(.sessionInUse) { _ = try await other.resume(id) }
            writer = nil
            let session = try await other.session(id)
            #expect(session.state == .interrupted && session.duration == 1 && session.end == session.start + 1)
            #expect(try await other.partialText(of: id) == " two thr")
            #expect(try await other.transcript(of: id).text == "One")
        }

        @Test func anInterruptedSessionContinues() async throws {
            let store = try await folder.store()
            let id = try await store.interrupt { try await $0.append([.saying(" One", 0), .saying(" two.", 1)]) }
            let (again, live) = try await store.resume(id)
            #expect(live.text == "One two." && live.finals.map(\.id) == [0, 1] && live.position == 2)
            #expect(try again.takePrevious() == live)
            #expect(try await store.session(id).state == .recording)
            try await again.append([.saying(" Three.", 2, utterance: 1)])
            try await again.finish()
            #expect(try await store.transcript(of: id).text == "One two. Three.")
            #expect(try await store.session(id).state == .finished)
        }

        @Test func segmentsAreAppendedAtomically() async throws {
            let (store, writer) = try await folder.begun()
            try await writer.append([.saying(" One", 0)])
            await #expect(throws: StenoError.self) {
                try await writer.append([.saying(" two", 1), .saying(" one", 0)])
            }
            #expect(try await store.segments(of: writer.id).map(\.text) == [" One"])
            #expect(try await store.session(writer.id).segmentCount == 1)
            #expect(try await store.search("two").isEmpty)
        }

        @Test func anEditKeepsTheRecognisedText() async throws {
            let store = try await folder.store()
            let id = try await store.add([" The hole house.", " Was there."])
            try await store.edit(0, of: id, " The whole house.")
            try await store.setSpeaker("Ann", of: 0, in: id)
            let segments = try await store.segments(of: id)
            #expect(segments[0].text == " The whole house." && segments[0].recognizedText == " The hole house.")
            #expect(segments.map(\.speaker) == ["Ann", nil])
            let transcript = try await store.transcript(of: id)
            #expect(
                transcript.text == "The whole house. Was there." && transcript.segments.map(\.words?.count) == [nil, 1])
            #expect(try await store.search("hole").isEmpty)
            #expect(try await store.search("whole").map(\.segment) == [0])
            try await store.edit(0, of: id, nil)
            #expect(try await store.transcript(of: id).text == "The hole house. Was there.")
            await expectError(.invalidOption) { try await store.edit(7, of: id, "?") }
            try await store.rename(id, "Houses")
            #expect(try await store.session(id).title == "Houses")
        }

        /// With thousands of sessions, reading all of them at each change would take a part of a core.
        @Test(arguments: [false, true]) func anObserverReadsOnlyWhatHasChanged(isEncrypted: Bool) async throws {
            let store = try await folder.store(isEncrypted: isEncrypted)
            for number in 0..<3 { try await store.add([" One."], title: "\(number)") }
            let writer = try await store.begin(title: "Now")
            var changes = store.changes.makeAsyncIterator()
            #expect(try await changes.next()?.map(\.title) == ["Now", "2", "1", "0"])
            let statements = Recorder<String>()
            try await store.read { $0.trace { statements.add($0.expandedDescription) } }
            try await store.write { $0.trace { statements.add($0.expandedDescription) } }
            try await writer.setPartial(" two")
            try await writer.setPartial(" two three")
            try await writer.append([.saying(" Two three.", 1)])
            #expect(try await changes.next()?.first?.segmentCount == 1)
            let reads = statements.all.filter { $0.hasPrefix("SELECT") && $0.contains("FROM \"session\"") }
            #expect(reads.count == 1 && reads.allSatisfy { $0.hasSuffix("\"id\" = \(writer.row)") }, "\(reads)")
        }

        @Test func anObserverSeesEveryChange() async throws {
            let store = try await folder.store()
            var changes = store.changes.makeAsyncIterator()
            #expect(try await changes.next()?.isEmpty == true)
            var writer: SessionWriter? = try await store.begin(title: "First")
            let first = try #require(writer?.id)
            let begun = try await changes.next()
            #expect(begun?.map(\.title) == ["First"] && begun?.map(\.state) == [.recording])
            try await writer?.append([.saying(" One", 0)])
            #expect(try await changes.next()?.first?.segmentCount == 1)
            // An interruption is seen with the next change.
            writer = nil
            let second = try await store.add([" Two."])
            #expect(try await changes.next()?.map(\.state) == [.finished, .interrupted])
            try await store.delete([second])
            #expect(try await changes.next()?.map(\.id) == [first])
            // Another store stands for another program: its changes come with the next one of this store.
            try await folder.store().rename(first, "Renamed")
            _ = try await store.begin(title: "Third")
            #expect(try await changes.next()?.map(\.title) == ["Third", "Renamed"])
        }

        @Test func aCancelledObserverEnds() async throws {
            let store = try await folder.store()
            let observer = Task {
                var changes = store.changes.makeAsyncIterator()
                while try await changes.next() != nil {}
            }
            observer.cancel()
            try await observer.value
        }

        @Test func onlyTheOwnerCanReadTheFiles() async throws {
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            let (store, writer) = try await folder.begun()
            try await store.add([" One."])
            let recorder = try await writer.makeRecorder(from: 0)
            recorder.append(AudioChunk(position: 0, samples: [Float](repeating: 0, count: 160)))
            await recorder.close()
            let files = try folder.files()
            #expect(files.contains { $0.pathExtension == "wav" })
            for file in files {
                let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
                #expect((mode ?? 0o777) & 0o077 == 0, "\(file.lastPathComponent)")
            }
        }

        @Test func theFolderBelongsToTheUser() {
            #expect(StoreFolder.standard(["STENO_HISTORY": "/elsewhere"]).path == "/elsewhere")
            #if os(Linux)
                #expect(StoreFolder.standard(["HOME": "/home/ann"]).path == "/home/ann/.local/share/steno/history")
                #expect(
                    StoreFolder.standard(["HOME": "/home/ann", "XDG_DATA_HOME": "/data"]).path == "/data/steno/history")
            #endif
        }
    }

    @Suite("A summary of spoken sentences") struct ExtractiveSummarizerTests {
        private let talk = [
            "Good morning, and welcome to everyone.", "The harbour bridge will be closed for repairs in March.",
            "I hope that you all had a pleasant journey.", "Repairs of the harbour bridge will take about three weeks.",
            "The weather was rather bad yesterday.", "During the repairs ferries will replace the harbour bridge.",
            "Lunch is at twelve.",
        ]

        @Test func itPicksCentralSentencesInTheirOrder() {
            let summary = ExtractiveSummarizer(sentences: 2).summary(of: talk)
            #expect(summary.text.contains("harbour bridge") && !summary.text.contains("weather"))
            #expect(summary.title == "The harbour bridge will be closed for repairs in March")
            let places = talk.indices.filter { summary.text.contains(talk[$0]) }
            #expect(places.count == 2)
            #expect(summary.text == places.map { talk[$0] }.joined(separator: " "))
        }

        @Test func aShortTextHasOnlyATitleAndALongTitleIsCutAfterAWord() {
            let short = ExtractiveSummarizer().summary(of: ["See you tomorrow."])
            #expect(short.text == "" && short.title == "See you tomorrow")
            #expect(ExtractiveSummarizer().summary(of: []) == TranscriptSummary())
            let sentence =
                "This is a sentence about nothing much that is a good deal longer than any title may ever be."
            let title = ExtractiveSummarizer().summary(of: [sentence]).title
            #expect(title.count <= 61 && title.hasSuffix("…"))
            #expect(sentence.hasPrefix(title.dropLast() + " "))
        }

        @Test func aTextIsSplitIntoItsSentences() {
            #expect(
                Sentences.split(" It costs 3.50 euros. Really? Yes! e.g. this … and so on")
                    == ["It costs 3.50 euros.", "Really?", "Yes! e.g. this … and so on"])
            #expect(Sentences.split("今日は晴れです。明日は雨です。") == ["今日は晴れです。", "明日は雨です。"])
        }
    }
#endif
