#if Server
    import Foundation
    import HTTPTypes
    import NIOCore
    import Testing

    @testable import StenoServer

    /// Upgrades alongside plain HTTP, over a real socket.
    @Suite(.timeLimit(.minutes(15))) struct WebSocketUpgradeTests {
        /// Sends messages back under /loop, refuses /closed, and passes on the rest.
        private let route: WebSocketHTTPChannel.Route = { request in
            switch request.path {
            case "/loop":
                .accept(subprotocol: request.agreed(on: ["realtime"])) { connection in
                    do {
                        for try await message in connection.messages {
                            if case .text(let text) = message { connection.send(text) }
                        }
                    } catch {}
                }
            case "/closed":
                .refuse(WebSocketRefusal(.unauthorized))
            default: .pass
            }
        }

        private func connect(_ body: (SocketClient.Conversation) async throws -> Void) async throws {
            try await withSocketServer(route: route) { port in
                try await SocketClient.connect(port) { try await body($0) }
            }
        }

        @Test func aConnectionIsUpgradedAndTalks() async throws {
            try await connect { client in
                let head = try await client.upgrade(
                    "/loop?model=x", ["Sec-WebSocket-Protocol: openai-insecure-api-key.secret, realtime"])
                #expect(head.hasPrefix("HTTP/1.1 101"))
                let lowered = head.lowercased()
                #expect(head.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="), "the example of RFC 6455")
                #expect(lowered.contains("sec-websocket-protocol: realtime") && !head.contains("secret"))
                try await client.send(ClientFrames.bytes(1, Array("\"hello\"".utf8)))
                #expect(try await client.event() == "hello")
                try await client.send(ClientFrames.bytes(8, [0x03, 0xE8]))
                #expect(try await client.event() == ["type": "close", "code": 1000])
                #expect(try await client.event() == nil)
            }
        }

        @Test func bytesAfterTheRequestAreNotLost() async throws {
            try await connect { client in
                let lines = [
                    "GET /loop HTTP/1.1", "Host: localhost", "Upgrade: WebSocket",
                    "Connection: keep-alive, Upgrade",
                    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "", "",
                ]
                try await client.send(
                    Array(lines.joined(separator: "\r\n").utf8) + ClientFrames.bytes(1, Array("\"early\"".utf8)))
                while client.unread.readableBytes < 4 { _ = try await client.more() }
                while !String(buffer: client.unread).contains("early") {
                    guard try await client.more() else { break }
                }
                #expect(String(buffer: client.unread).hasSuffix("\"early\""))
            }
        }

        @Test func aRequestForAnotherProtocolWithABodyGoesToTheRouter() async throws {
            try await connect { client in
                let lines = [
                    "POST /loop HTTP/1.1", "Host: localhost", "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings",
                    "Content-Length: 5", "", "12345",
                ]
                try await client.send(lines.joined(separator: "\r\n").utf8)
                _ = try await client.more()
                #expect(String(buffer: client.unread).hasPrefix("HTTP/1.1 200"))
            }
        }

        @Test func messagesOfAMegabyteGoThroughInFragments() async throws {
            try await connect { client in
                _ = try await client.upgrade("/loop")
                let text = "\"" + String(repeating: "x", count: 1 << 20) + "\""
                let bytes = Array(text.utf8)
                try await client.send(ClientFrames.bytes(1, Array(bytes[..<1000]), fin: false))
                try await client.send(ClientFrames.bytes(0, Array(bytes[1000...])))
                #expect(try await client.event()?.text == text)
            }
        }

        @Test func aRefusalIsAnOrdinaryResponse() async throws {
            try await connect { client in
                let head = try await client.upgrade("/closed")
                #expect(head.hasPrefix("HTTP/1.1 401") && head.lowercased().contains("content-type: application/json"))
                while try await client.more() {}
                #expect(try JSONValue(parsing: client.unread.readableBytesView)["error"]?["code"] == "invalid_api_key")
            }
        }

        @Test func otherRequestsGoToTheRouterEvenSeveralPerConnection() async throws {
            try await withSocketServer(route: route) { port in
                try await SocketClient.connect(port) { client in
                    for path in ["/one", "/two"] {
                        #expect(try await client.request(path).hasPrefix("HTTP/1.1 200"))
                        while client.unread.readableBytes < path.utf8.count { _ = try await client.more() }
                        #expect(String(buffer: client.unread).contains(path))
                        client.unread.clear()
                    }
                }
                #expect(try await SocketClient.answer(port, "/unknown").hasPrefix("HTTP/1.1 200"), "the router decides")
            }
        }

        @Test(arguments: ["Sec-WebSocket-Version: 8", "X: y"])
        func anIncompleteHandshakeIsAnOrdinaryRequest(_ header: String) async throws {
            try await connect { client in
                let head = try await client.request("/loop", ["Upgrade: websocket", "Connection: Upgrade", header])
                #expect(head.hasPrefix("HTTP/1.1 200"))
            }
        }
    }
#endif
