#if Server
    import Foundation
    import NIOCore
    import Steno
    import StenoCore
    import StenoStore
    import StenoTestSupport
    import Testing

    @testable import StenoServer
    @testable import StenoServerTool

    @Suite("What the captions page keeps, and shows on other screens", .timeLimit(.minutes(10)))
    struct CaptionsHistoryTests {
        private static let screen = String(repeating: "a", count: 32)

        /// A server with a history of its own.
        private func withHistory(_ body: (TestServer, TranscriptStore) async throws -> Void) async throws {
            let folder = try TemporaryFolder()
            let store = try await TranscriptStore.open(folder.url.appendingPathComponent("history"))
            try await TestServer.run(configure: {
                $0.captions = CaptionsOptions()
                $0.captions?.archive = StoreArchive(
                    store: store, keepsAudio: true, summarizer: ExtractiveSummarizer(), onFailure: { _ in })
            }) { try await body($0, store) }
        }

        /// Says the test's speech in a session, to its end; returns its final text.
        private func speak(_ port: Int, _ options: [String: JSONValue]) async throws -> String {
            let speech = try TestAudio.speech()
            let heard = Heard()
            try await SocketClient.connect(port) { client in
                _ = try await client.upgrade("/v1/steno/live")
                try await client.say(.object(["type": "hello", "language": "en"].merging(options) { $1 }))
                let head = [UInt8](repeating: 0, count: 8)
                try await client.send(ClientFrames.bytes(2, head + bytes16(speech)))
                try await client.say(["type": "finish"])
                let events = try await client.events(to: "close")
                heard.text = events.filter { $0["type"] == "final" }.compactMap { $0["text"]?.string }.joined()
            }
            return heard.text
        }

        private final class Heard {
            var text = ""
        }

        /// The one session, when it has been stored.
        private func finished(_ store: TranscriptStore) async throws -> StoredSession {
            for try await sessions in store.changes {
                if let session = sessions.first, session.state == .finished { return session }
            }
            throw CancellationError()
        }

        @Test func aSessionIsKeptOnlyWhenThePageAsksForIt() async throws {
            try await withHistory { server, store in
                _ = try await speak(server.port, [:])
                #expect(try await store.sessions().isEmpty)
                let text = try await speak(server.port, ["save": true])
                let session = try await finished(store)
                #expect(try await store.segments(of: session.id).map(\.text).joined() == text)
                #expect(!text.isEmpty)
            }
        }

        @Test func aKeptSessionIsListedFoundEditedExportedHeardAndDeleted() async throws {
            try await withHistory { server, store in
                _ = try await speak(server.port, ["save": true])
                let id = try await finished(store).id.uuidString.lowercased()
                let path = "/v1/steno/history/\(id)"
                let list = try await server.send(.get("/v1/steno/history")).json["sessions"] as? [[String: Any]]
                #expect(list?.first?["id"] as? String == id)
                let session = try await server.send(.get(path)).json
                #expect(session["hasAudio"] as? Bool == true)
                let segments = try #require(session["segments"] as? [[String: Any]])
                #expect((segments[0]["words"] as? [Any])?.isEmpty == false)
                func post(_ body: String) async throws -> Int {
                    try await server.send(RawRequest(method: "POST", path: path, body: Array(body.utf8))).status
                }
                #expect(try await post(#"{"title": "Lunch"}"#) == 200)
                #expect(try await post(#"{"segment": 0, "text": " zebra crossing"}"#) == 200)
                #expect(try await post(#"{"nothing": 1}"#) == 400)
                #expect(try await post("[]") == 400)
                let hits =
                    try await server.send(.get("/v1/steno/history/search?q=zebra")).json["hits"] as? [[String: Any]]
                #expect(hits?.first?["title"] as? String == "Lunch")
                let subtitles = try await server.send(.get(path + "/export?format=srt"))
                #expect(subtitles.text.contains("zebra crossing") && subtitles.text.contains("-->"))
                #expect(try await server.send(.get(path + "/export?format=doc")).status == 400)
                let audio = try await server.send(.get(path + "/audio"))
                #expect(audio.headers["content-type"] == "audio/wav")
                #expect(audio.body.starts(with: Array("RIFF".utf8)) && audio.body.count > 32_000)
                #expect(try await server.send(RawRequest(method: "DELETE", path: path)).status == 200)
                #expect(try await server.send(.get(path)).status == 404)
                #expect(try await server.send(.get("/v1/steno/history/none")).status == 404)
            }
        }

        @Test func anotherScreenShowsTheTextOfTheSessionsOfItsName() async throws {
            try await withHistory { server, _ in
                try await SocketClient.connect(server.port) { screen in
                    _ = try await screen.upgrade("/v1/steno/live")
                    try await screen.say(["type": "watch", "screen": .string(Self.screen)])
                    #expect(try await screen.event()?["type"] == "watching")
                    for _ in 0..<2 {
                        let said = try await speak(server.port, ["screen": .string(Self.screen)])
                        var text = "", hasEnded = false
                        while !hasEnded, let event = try await screen.event() {
                            if event["type"] == "snapshot" {
                                text = (event["finals"]?.array ?? []).compactMap { $0["text"]?.string }.joined()
                            }
                            if event["type"] == "final" { text += event["text"]?.string ?? "" }
                            hasEnded = (event["state"]?.string).map { ["finished", "failed"].contains($0) } ?? false
                        }
                        #expect(text == said && !said.isEmpty)
                    }
                }
            }
        }

        @Test(arguments: ["", "short", String(repeating: "/", count: 32)])
        func aScreenNeedsANameThatNobodyGuesses(_ name: String) async throws {
            try await withHistory { server, _ in
                try await SocketClient.connect(server.port) { screen in
                    _ = try await screen.upgrade("/v1/steno/live")
                    try await screen.say(["type": "watch", "screen": .string(name)])
                    #expect(try await screen.event()?["type"] == "error")
                    #expect(try await screen.event()?["code"] == 4400)
                }
            }
        }
    }
#endif
