#if Server
    import Foundation
    import NIOCore
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer
    @testable import StenoServerTool
    @testable import StenoStore

    @Suite("History and second screens of the captions page", .timeLimit(.minutes(15))) struct CaptionsHistoryTests {
        private let folder = TemporaryFolder.ofSuite()
        private static let screen = String(repeating: "a", count: 32)

        private func withHistory(
            key: StoreKey = .none, summarizer: any TranscriptSummarizer = ExtractiveSummarizer(),
            hearing: Hearing = .repeated, named name: String = "history"
        ) async throws -> (TestServer, TranscriptStore) {
            let store = try await TranscriptStore.open(folder.url.appendingPathComponent(name), key: key)
            return (try await TestServer.run(archive: archive(store, summarizer), hearing: hearing), store)
        }

        private var history: URL { folder.url.appendingPathComponent("history") }

        private func archive(
            _ store: TranscriptStore, _ summarizer: any TranscriptSummarizer = ExtractiveSummarizer(),
            onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
        ) -> StoreArchive {
            StoreArchive(store: store, keepsAudio: true, summarizer: summarizer, onFailure: onFailure)
        }

        /// Speaks the test recording into a session and returns its final text.
        private func speak(_ port: Int, _ options: [String: JSONValue]) async throws -> String {
            let speech = try TestAudio.speech()
            let client = try await SocketClient.talk(port)
            try await client.hello(options)
            try await client.speak(speech)
            return try await client.end().spokenText
        }

        /// Changes a session by a request, and returns the status.
        private func post(_ change: String, to path: String, _ server: TestServer) async throws -> Int {
            try await server.send(RawRequest(method: "POST", path: path, body: Array(change.utf8))).status
        }

        /// The path of the only session, once it is stored.
        private func path(in store: TranscriptStore) async throws -> String {
            "/v1/steno/history/\(try await finished(store).id.uuidString.lowercased())"
        }

        /// The only session, once it is stored.
        private func finished(_ store: TranscriptStore) async throws -> StoredSession {
            for try await sessions in store.changes {
                if let session = sessions.first, session.state == .finished { return session }
            }
            throw CancellationError()
        }

        @Test(arguments: Hearing.allCases) func aSessionIsSavedOnlyOnRequest(hearing: Hearing) async throws {
            let (server, store) = try await withHistory(hearing: hearing)
            _ = try await speak(server.port, [:])
            #expect(try await store.sessions().isEmpty)
            let text = try await speak(server.port, ["save": true])
            let session = try await finished(store)
            #expect(try await store.segments(of: session.id).map(\.text).joined() == text)
            #expect(!text.isEmpty)
        }

        @Test(arguments: Hearing.allCases) func nothingIsSavedAfterSavingIsTurnedOff(hearing: Hearing) async throws {
            let (server, store) = try await withHistory(hearing: hearing)
            let speech = try TestAudio.speech()
            let client = try await SocketClient.talk(server.port)
            try await client.hello(["save": true])
            try await client.speak(speech)
            try await client.say(["type": "finalize"])
            for try await sessions in store.changes where (sessions.first?.segmentCount ?? 0) > 0 { break }
            try await client.say(["type": "update", "language": "en", "save": false])
            let session = try await finished(store)
            let kept = try await store.segments(of: session.id)
            let samples = try await store.audio(of: session.id).count
            try await client.speak(speech, from: speech.count)
            // Unsaved text is not saved later either.
            try await client.say(["type": "update", "language": "en", "save": true])
            let finals = try await client.end().filter { $0["type"] == "final" }
            #expect(finals.count > kept.count && !kept.isEmpty)
            #expect(try await store.sessions().map(\.id) == [session.id])
            #expect(try await store.segments(of: session.id) == kept)
            #expect(try await store.audio(of: session.id).count == samples && samples <= speech.count)
        }

        @Test func terminalControlCharactersAreRefused() async throws {
            let (server, store) = try await withHistory()
            let writer = try await store.begin(title: "Lunch")
            try await writer.append([
                LiveSegment(id: 0, start: 0, end: 1, text: " One", isFinal: true, words: [], utterance: 0)
            ])
            try await writer.finish()
            let path = try await path(in: store)
            func post(_ change: JSONValue) async throws -> Int { try await self.post(change.text, to: path, server) }
            for text in ["\u{1B}[2J", "a\u{9B}b", "\u{7F}"] {
                #expect(try await post(["title": .string(text)]) == 400)
                #expect(try await post(["segment": 0, "text": .string(text)]) == 400)
            }
            for title in ["a\nb", "a\u{202E}b", String(repeating: "ä", count: 201)] {
                #expect(try await post(["title": .string(title)]) == 400)
            }
            #expect(try await post(["segment": 0, "text": "Two\nlines, ö"]) == 200)
            #expect(try await post(["segment": 0, "text": .null]) == 200)
            #expect(try await store.session(writer.id).title == "Lunch")
        }

        @Test(arguments: [true, false])
        func aSavedSessionIsListedFoundEditedExportedPlayedAndDeleted(_ isEncrypted: Bool) async throws {
            let (server, store) = try await withHistory(key: isEncrypted ? .random() : .none)
            _ = try await speak(server.port, ["save": true])
            let session = try await finished(store).id, path = try await path(in: store)
            let id = session.uuidString.lowercased()
            let list = try await server.send(.get("/v1/steno/history")).json["sessions"] as? [[String: Any]]
            #expect(list?.first?["id"] as? String == id)
            let found = try await server.send(.get(path)).json
            #expect(found["hasAudio"] as? Bool == true)
            let segments = try #require(found["segments"] as? [[String: Any]])
            #expect((segments[0]["words"] as? [Any])?.isEmpty == false)
            for (change, status) in [
                (#"{"title": "Lunch"}"#, 200), (#"{"segment": 0, "text": " zebra crossing"}"#, 200),
                (#"{"nothing": 1}"#, 400), ("[]", 400),
            ] {
                #expect(try await post(change, to: path, server) == status)
            }
            let hits =
                try await server.send(.get("/v1/steno/history/search?q=zebra")).json["hits"] as? [[String: Any]]
            #expect(hits?.first?["title"] as? String == "Lunch")
            let subtitles = try await server.send(.get(path + "/export?format=srt"))
            #expect(subtitles.text.contains("zebra crossing") && subtitles.text.contains("-->"))
            #expect(try await server.send(.get(path + "/export?format=doc")).status == 400)
            let audio = try await server.send(.get(path + "/audio"))
            #expect(audio.headers["content-type"] == "audio/wav")
            let kept = folder.url.appendingPathComponent("kept.wav")
            try await store.exportAudio(of: session, to: kept)
            #expect(audio.body == Array(try Data(contentsOf: kept)) && audio.body.count > 32_000)
            #expect(audio.headers["content-length"] == String(audio.body.count))
            for path in [path + "/audio", path + "/export"] {
                let head = try await server.send(RawRequest(method: "HEAD", path: path))
                #expect(head.status == 405 && head.headers["allow"] == "GET", "nothing is rendered")
            }
            #expect(try await server.send(RawRequest(method: "DELETE", path: path)).status == 200)
            #expect(try await server.send(.get(path)).status == 404)
            #expect(try await server.send(.get("/v1/steno/history/none")).status == 404)
        }

        private struct BrokenSummarizer: TranscriptSummarizer {
            func summary(of sentences: [String]) throws -> TranscriptSummary { throw CocoaError(.featureUnsupported) }
        }

        @Test func aFailedSummaryIsAnErrorAndTheTextRemains() async throws {
            let (broken, brokenStore) = try await withHistory(summarizer: BrokenSummarizer(), named: "broken")
            _ = try await speak(broken.port, ["save": true])
            let lost = try await self.path(in: brokenStore)
            let failed = try await broken.send(.get(lost + "/summary"))
            #expect(failed.status == 500 && failed.error["code"] as? String == "summary_failed")
            #expect((try await broken.send(.get(lost)).json["segments"] as? [Any])?.isEmpty == false)
            let (server, store) = try await withHistory()
            _ = try await speak(server.port, ["save": true])
            let path = try await path(in: store)
            let summary = try await server.send(.get(path + "/summary")).json
            #expect((summary["title"] as? String)?.isEmpty == false && summary["text"] is String)
            let none = "/v1/steno/history/\(UUID().uuidString)/summary"
            #expect(try await server.send(.get(none)).error["code"] as? String == "session_not_found")
        }

        /// Either nothing can be written, or every chunk of audio loses something.
        @Test(arguments: [true, false], Hearing.allCases)
        func aFailingHistoryIsReportedOnceAndTheSessionContinues(_ isFull: Bool, hearing: Hearing) async throws {
            let archive = StubArchive(isFull: isFull, loses: !isFull)
            let server = try await TestServer.run(archive: archive, hearing: hearing)
            let client = try await SocketClient.talk(server.port)
            try await client.hello(["save": true])
            let speech = try TestAudio.speech()
            if !isFull { try await client.speak(speech) }
            #expect(try await client.events(to: "error").last?["code"] == "history_failed")
            try await client.speak(speech, from: isFull ? 0 : speech.count)
            let events = try await client.end()
            #expect(!events.contains { $0["type"] == "error" } && events.contains { $0["type"] == "final" })
        }

        @Test(arguments: [true, false], Hearing.allCases)
        func theLastWordsAreSavedWhenTheServerStops(_ isConnected: Bool, hearing: Hearing) async throws {
            let store = try await TranscriptStore.open(history)
            let archive = archive(store)
            let server = ShutdownServer(model: SecondFamilyModel(hearing: hearing)) {
                $0.captions = CaptionsOptions()
                $0.captions?.archive = archive
            }
            let speech = try TestAudio.speech()
            try await server.run { server, stop in
                let client = try await SocketClient.talk(server.port)
                try await client.hello(["save": true])
                try await client.speak(speech)
                _ = try await client.events(to: "ack")
                if isConnected {
                    await stop()
                    _ = try await client.events(to: "close")
                }
                await client.close()
                await stop()
            }
            // No waiting: it is stored once the server has stopped.
            let session = try #require(try await store.sessions().first)
            #expect(session.state == .finished)
            #expect(try await !store.segments(of: session.id).isEmpty)
            #expect(session.duration > Double(speech.count) / 16_000 - 0.5)
        }

        @Test(arguments: Hearing.allCases) func aSecondScreenFollowsTheNewestSession(hearing: Hearing) async throws {
            let (server, _) = try await withHistory(hearing: hearing)
            let first = try await SocketClient.talk(server.port)
            try await first.hello(["screen": .string(Self.screen)])
            let screen = try await SocketClient.talk(server.port)
            try await screen.say(["type": "watch", "screen": .string(Self.screen)])
            _ = try await screen.events(to: "snapshot")
            // The first session never ends by itself.
            _ = try await speak(server.port, ["screen": .string(Self.screen)])
            #expect(try await screen.events(to: "watching").last?["type"] == "watching")
            var text = ""
            while text.isEmpty, let event = try await screen.event() {
                text = event["finals"]?.array?.first?["text"]?.string ?? event["text"]?.string ?? ""
            }
            #expect(!text.isEmpty)
            try await screen.say(["type": "ping"])
            #expect(try await screen.events(to: "pong").last?["type"] == "pong")
        }

        @Test(arguments: Hearing.allCases) func aSecondScreenShowsTheTextOfEachSession(hearing: Hearing) async throws {
            let (server, _) = try await withHistory(hearing: hearing)
            let screen = try await SocketClient.talk(server.port)
            try await screen.say(["type": "watch", "screen": .string(Self.screen)])
            #expect(try await screen.event()?["type"] == "watching")
            for _ in 0..<2 {
                let said = try await speak(server.port, ["screen": .string(Self.screen)])
                var text = "", hasEnded = false
                while !hasEnded, let event = try await screen.event() {
                    if event["type"] == "snapshot" {
                        text = (event["finals"]?.array ?? []).compactMap { $0["text"]?.string }.joined()
                    }
                    if event["type"] == "final" || event["type"] == "utterance_end" {
                        text += event["text"]?.string ?? ""
                    }
                    hasEnded = (event["state"]?.string).map { ["finished", "failed"].contains($0) } ?? false
                }
                #expect(text == said && !said.isEmpty)
            }
        }

        @Test func aScreenNeedsAnUnguessableName() async throws {
            let (server, _) = try await withHistory()
            for name in [nil, "", "short", String(repeating: "/", count: 32)] as [String?] {
                let named = name.map { ["screen": JSONValue.string($0)] } ?? [:]
                let watch = JSONValue.object(["type": "watch"].merging(named) { $1 })
                let screen = try await SocketClient.talk(server.port)
                try await screen.say(watch)
                let error = try await screen.event()
                #expect(error?["type"] == "error")
                #expect(name != nil || error?["message"]?.string?.contains("There is nothing to watch") == true)
                #expect(try await screen.event()?["code"] == 4400)
            }
        }

        /// A program that reads an older state of the history keeps that state in the log.
        @Test func deletionSucceedsEvenIfTheLogStillHasTheSession() async throws {
            let store = try await TranscriptStore.open(history, key: .none, logWait: LogWait(attempts: 1))
            let other = try await TranscriptStore.open(history)
            let id = try await store.begin(title: "Lunch").id
            let failures = Recorder<String>()
            let archive = archive(store) { failures.add("\($0)") }
            let isReading = AsyncGate(), end = DispatchSemaphore(value: 0)
            defer { end.signal() }
            let reading = Task {
                try await other.read { database in
                    defer { isReading.open() }
                    _ = try other.findKey(of: id, in: database)
                    isReading.open()
                    end.wait()
                }
            }
            await isReading.wait()
            let server = try await TestServer.run(archive: archive)
            let path = "/v1/steno/history/\(id.uuidString.lowercased())"
            let deleted = try await server.send(RawRequest(method: "DELETE", path: path))
            #expect(deleted.status == 200 && deleted.json["deleted"] as? Bool == true)
            #expect(failures.all.count == 1 && failures.all.first?.contains("history's log") == true)
            #expect(try await server.send(.get(path)).status == 404)
            #expect(try await server.send(RawRequest(method: "DELETE", path: path)).status == 404)
            end.signal()
            try await reading.value
            #expect(try await store.sessions().isEmpty)
        }

        /// You cannot type what the server would refuse.
        @Test func thePageLimitsTitlesLikeTheServer() throws {
            let script = try #require(try CaptionsPage().files["js/history-view.js"]?.text)
            #expect(script.contains("maxlength: \(StoreArchive.longestTitle),"))
        }

        @Test func aSessionWithoutTextAndAudioIsNotKept() async throws {
            let store = try await TranscriptStore.open(history)
            let archive = archive(store)
            let session = TranscriptionEventBroadcast()
            let recorder = try await archive.begin(
                language: "en", model: "scripted", events: session.events(), onLoss: {})
            #expect(try await store.sessions().count == 1)
            recorder.finish()
            await archive.wait()
            #expect(try await store.sessions().isEmpty)
        }
    }
#endif
