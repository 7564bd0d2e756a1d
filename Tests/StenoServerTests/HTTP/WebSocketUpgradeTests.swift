#if Server
    import Foundation
    import HTTPTypes
    import NIOCore
    import NIOWebSocket
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
            case "/closed": .refuse(WebSocketRefusal(.unauthorized))
            default: .pass
            }
        }

        private func connect() async throws -> SocketClient {
            try await SocketClient.connect(holding: socketServer(route: route))
        }

        @Test func aConnectionIsUpgradedAndTalks() async throws {
            let client = try await connect()
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

        @Test func bytesAfterTheRequestAreNotLost() async throws {
            let client = try await connect()
            let lines = [
                "GET /loop HTTP/1.1", "Host: localhost", "Upgrade: WebSocket", "Connection: keep-alive, Upgrade",
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

        @Test func messagesOfAMegabyteGoThroughInFragments() async throws {
            let client = try await connect()
            _ = try await client.upgrade("/loop")
            let text = "\"" + String(repeating: "x", count: 1 << 20) + "\""
            let bytes = Array(text.utf8)
            try await client.send(ClientFrames.bytes(1, Array(bytes[..<1000]), fin: false))
            try await client.send(ClientFrames.bytes(0, Array(bytes[1000...])))
            #expect(try await client.event()?.text == text)
        }

        @Test func aRefusalIsAnOrdinaryResponse() async throws {
            let client = try await connect()
            let head = try await client.upgrade("/closed")
            #expect(head.hasPrefix("HTTP/1.1 401") && head.lowercased().contains("content-type: application/json"))
            while try await client.more() {}
            #expect(try JSONValue(parsing: client.unread.readableBytesView)["error"]?["code"] == "invalid_api_key")
        }

        @Test func otherRequestsGoToTheRouterEvenSeveralPerConnection() async throws {
            let server = try await socketServer(route: route)
            let client = try await SocketClient.connect(server.port)
            for path in ["/one", "/two"] {
                #expect(try await client.request(path).hasPrefix("HTTP/1.1 200"))
                while client.unread.readableBytes < path.utf8.count { _ = try await client.more() }
                #expect(String(buffer: client.unread).contains(path))
                client.unread.clear()
            }
            #expect(
                try await SocketClient.answer(server.port, "/unknown").hasPrefix("HTTP/1.1 200"), "the router decides")
            // Incomplete handshakes, and one for another protocol with a body.
            let upgrade = "Host: localhost\r\nConnection: Upgrade\r\nUpgrade: "
            for request in [
                "GET /loop HTTP/1.1\r\n\(upgrade)websocket\r\nSec-WebSocket-Version: 8\r\n\r\n",
                "GET /loop HTTP/1.1\r\n\(upgrade)websocket\r\nX: y\r\n\r\n",
                "POST /loop HTTP/1.1\r\n\(upgrade)h2c\r\nContent-Length: 5\r\n\r\n12345",
            ] {
                let client = try await SocketClient.connect(server.port)
                try await client.send(request.utf8)
                _ = try await client.more()
                #expect(String(buffer: client.unread).hasPrefix("HTTP/1.1 200"), "\(request)")
            }
        }
    }

    @Suite struct WebSocketAssemblyTests {
        private var assembly = WebSocketAssembly(WebSocketLimits())

        private func limited(_ bytes: Int, fragments: Int = 10) -> WebSocketAssembly {
            var limits = WebSocketLimits()
            (limits.messageBytes, limits.fragments) = (bytes, fragments)
            return WebSocketAssembly(limits)
        }

        /// The code with which a frame, after others, ends the connection.
        private func refusal(_ frames: [WebSocketFrame], in assembly: WebSocketAssembly? = nil) -> UInt16? {
            var assembly = assembly ?? self.assembly
            for frame in frames {
                do { _ = try assembly.receive(frame) } catch { return error.code }
            }
            return nil
        }

        @Test mutating func aMessageInOneFrameIsUnmasked() throws {
            #expect(try assembly.receive(ClientFrames.text("héllo")) == .message(.text("héllo")))
            let binary = ClientFrames.frame(.binary, [0, 255, 7])
            #expect(try assembly.receive(binary) == .message(.binary(ByteBuffer(bytes: [0, 255, 7]))))
        }

        @Test mutating func fragmentsAreJoinedEvenWithinACharacterAndAroundAPing() throws {
            let bytes = Array("né".utf8)
            #expect(try assembly.receive(ClientFrames.frame(.text, bytes[..<2], fin: false)) == nil)
            #expect(try assembly.receive(ClientFrames.frame(.ping, [1])) == .ping(ByteBuffer(bytes: [1])))
            #expect(try assembly.receive(ClientFrames.frame(.continuation, [], fin: false)) == nil)
            #expect(try assembly.receive(ClientFrames.frame(.continuation, bytes[2...])) == .message(.text("né")))
            #expect(try assembly.receive(ClientFrames.text("next")) == .message(.text("next")))
        }

        @Test func forbiddenFramesAreViolations() {
            let open = ClientFrames.text("a", fin: false)
            #expect(refusal([ClientFrames.frame(.text, [65], masked: false)]) == 1002)
            #expect(refusal([ClientFrames.frame(.text, [65], rsv1: true)]) == 1002)
            #expect(refusal([ClientFrames.frame(.continuation, [65])]) == 1002)
            #expect(refusal([open, ClientFrames.text("b")]) == 1002)
            #expect(refusal([ClientFrames.frame(.init(encodedWebSocketOpcode: 3)!, [])]) == 1002)
            #expect(refusal([ClientFrames.frame(.init(encodedWebSocketOpcode: 0xB)!, [])]) == 1002)
            #expect(refusal([ClientFrames.frame(.ping, [], fin: false)]) == 1002)
            #expect(refusal([ClientFrames.frame(.ping, [UInt8](repeating: 0, count: 126))]) == 1002)
        }

        @Test func textThatIsNotUTF8IsRefused() {
            #expect(refusal([ClientFrames.frame(.text, [0xC3])]) == 1007)
            #expect(refusal([ClientFrames.frame(.text, [0xED, 0xA0, 0x80])]) == 1007)
        }

        @Test func messagesHaveALimitWholeAndInFragments() {
            #expect(refusal([ClientFrames.text("12345")], in: limited(5)) == nil)
            #expect(refusal([ClientFrames.text("123456")], in: limited(5)) == 1009)
            let parts = [ClientFrames.text("123", fin: false), ClientFrames.frame(.continuation, "456".utf8)]
            #expect(refusal(parts, in: limited(5)) == 1009)
            let empty = ClientFrames.frame(.continuation, [], fin: false)
            #expect(
                refusal([ClientFrames.text("", fin: false), empty, empty, empty], in: limited(5, fragments: 3)) == 1008)
        }

        @Test mutating func aCloseFrameNeedsAValidCode() throws {
            #expect(try assembly.receive(ClientFrames.close(nil)) == .close(nil))
            #expect(try assembly.receive(ClientFrames.close(1000, "bye")) == .close(1000))
            #expect(try assembly.receive(ClientFrames.close(4321)) == .close(4321))
            for code: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535] {
                #expect(refusal([ClientFrames.close(code)]) == 1002, "\(code)")
            }
            #expect(refusal([ClientFrames.frame(.connectionClose, [3])]) == 1002)
            #expect(refusal([ClientFrames.frame(.connectionClose, [3, 232, 0xFF])]) == 1002)
        }

        @Test func aReasonIsCutToWholeCharactersThatFit() {
            var body = WebSocketClose(1008, String(repeating: "é", count: 100)).body
            #expect(body.readInteger(as: UInt16.self) == 1008)
            #expect(body.readString(length: body.readableBytes) == String(repeating: "é", count: 61))
        }
    }
#endif
