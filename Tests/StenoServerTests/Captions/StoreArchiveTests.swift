#if Server
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer
    @testable import StenoServerTool
    @testable import StenoStore

    /// The history behind the captions page.
    @Suite(.timeLimit(.minutes(15))) struct StoreArchiveTests {
        /// Another program that reads an older state of the history keeps that in the log.
        @Test func aSessionIsDeletedForThePageAlsoWhenTheLogStillHasIt() async throws {
            let folder = try TemporaryFolder()
            let history = folder.url.appendingPathComponent("history")
            let store = try await TranscriptStore.open(history, key: .none, logWait: LogWait(attempts: 1))
            let other = try await TranscriptStore.open(history)
            let id = try await store.begin(title: "Lunch").id
            let failures = Recorder<String>()
            let archive = StoreArchive(
                store: store, keepsAudio: true, summarizer: ExtractiveSummarizer(),
                onFailure: { failures.add("\($0)") })
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
            try await TestServer.run(configure: {
                $0.captions = CaptionsOptions()
                $0.captions?.archive = archive
            }) { server in
                let path = "/v1/steno/history/\(id.uuidString.lowercased())"
                let deleted = try await server.send(RawRequest(method: "DELETE", path: path))
                #expect(deleted.status == 200 && deleted.json["deleted"] as? Bool == true)
                #expect(failures.all.count == 1 && failures.all.first?.contains("the log") == true)
                #expect(try await server.send(.get(path)).status == 404)
                #expect(try await server.send(RawRequest(method: "DELETE", path: path)).status == 404)
            }
            end.signal()
            try await reading.value
            #expect(try await store.sessions().isEmpty)
        }

        /// What the server refuses cannot be typed.
        @Test func thePageTakesNoLongerTitleThanTheServer() throws {
            let script = try #require(try CaptionsPage().files["js/history-view.js"]?.text)
            #expect(script.contains("maxlength: \(StoreArchive.longestTitle),"))
        }
    }
#endif
