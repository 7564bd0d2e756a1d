#if Server
    import NIOCore
    import NIOWebSocket
    import Testing

    @testable import StenoServer

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
