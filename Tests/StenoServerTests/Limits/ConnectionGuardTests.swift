#if Server
    import HTTPTypes
    import NIOCore
    import NIOEmbedded
    import NIOHTTPTypes
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite("Time limits of a connection") struct ConnectionGuardTests {
        /// What happens to a connection with limits of 10 s for a header, 100 s for a body and 30 s for a pause, each step
        /// followed by all that comes out: bytes of a body, and the end of the connection.
        private static let scripts: KeyValuePairs<String, String> = [
            "a header must arrive in time": "wait 9, wait 1, ended",
            "a body must not pause, though it is fast enough":
                "head, wait 29, body 1, got 1, wait 29, body 1, got 1, wait 29, wait 1, ended",
            "a body must not be slow":
                "head, " + String(repeating: "wait 20, body 1, got 1, ", count: 4) + "wait 19, wait 1, ended",
            "a large body gets more time":
                "head, " + String(repeating: "wait 20, body 6291456, got 6291456, ", count: 12) + "wait 20",
            "a request may take any time, but the next header may not":
                "head, end, wait 100000, answer, wait 9, wait 1, ended",
            "after a response the rest of the body is discarded for a while":
                "head, answer, body 1, wait 4, wait 1, ended",
            // Meanwhile the server works on the first request and reads nothing.
            "a pipelined request's body is read after the first response":
                "head, end, head, wait 100000, answer, body 1, got 1, wait 29, wait 1, ended",
            // Hummingbird's own 400, without a header before it.
            "after a malformed request the next header must arrive in time": "answer, wait 9, wait 1, ended",
            "a client that stops reading is disconnected": "head, end, full, wait 29, wait 1, ended",
            "a client that reads again is not": "head, end, full, wait 29, room, wait 1, wait 100000",
            "100-continue is answered": "expect, continue",
            "a client that closes its side during a request is disconnected": "head, end, close-half, ended",
        ]

        @Test(arguments: scripts) func aConnectionFollowsItsScript(rule: String, script: String) throws {
            let record = Recorder<String>(), channel = try Self.connection()
            defer { channel.end() }
            try channel.play(script, record) { step, value in
                switch step {
                case "head": try channel.writeInbound(Self.head())
                case "expect": try channel.writeInbound(Self.head(expecting: "100-continue"))
                case "body":
                    try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: Int(value) ?? 0)))
                case "end": try channel.writeInbound(HTTPRequestPart.end(nil))
                case "answer":
                    try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
                    try channel.writeOutbound(HTTPResponsePart.end(nil))
                case "close-half": channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
                default: Issue.record("\(step) is unknown.")
                }
            } output: {
                while let part = try channel.readInbound(as: HTTPRequestPart.self) {
                    if case .body(let bytes) = part { record.add("got \(bytes.readableBytes)") }
                }
                while let part = try channel.readOutbound(as: HTTPResponsePart.self) {
                    if part == .head(HTTPResponse(status: .continue)) { record.add("continue") }
                }
            }
            #expect(record.all.joined(separator: ", ") == script, "\(rule)")
        }

        private static func head(expecting expectation: String? = nil) -> HTTPRequestPart {
            var request = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
            request.headerFields[.expect] = expectation
            return .head(request)
        }

        private static func connection(body: Double = 100) throws -> EmbeddedChannel {
            var timeouts = SpeechServer.Timeouts()
            (timeouts.header, timeouts.body, timeouts.idle) = (10, body, 30)
            let register = ConnectionRegister(limit: 10)
            let channel = EmbeddedChannel()
            register.add(channel)
            let handler = ConnectionGuard(times: .init(timeouts), register: register)
            try channel.pipeline.syncOperations.addHandler(handler)
            channel.connect(to: try SocketAddress(unixDomainSocketPath: "/x"), promise: nil)
            return channel
        }

        @Test func infiniteTimesAndSizesCountAsVeryLargeOnes() throws {
            let seconds = [Double.infinity, .nan, .greatestFiniteMagnitude, -.infinity]
            let longest = TimeAmount.seconds(1_000_000_000)
            #expect(
                seconds.map(ConnectionGuard.Times.amount) == [longest, longest, longest, TimeAmount.milliseconds(1)])
            let channel = try Self.connection(body: .infinity)
            defer { channel.end() }
            try channel.writeInbound(Self.head())
            // Sixteen times the usual size gets sixteen times the time.
            let piece = ByteBuffer(repeating: 0, count: 16 << 20)
            // Not by `writeInbound`, which copies all input so far each time; in release that copy is destroyed wrongly.
            for _ in 0..<16 { channel.pipeline.syncOperations.fireChannelRead(NIOAny(HTTPRequestPart.body(piece))) }
            channel.pipeline.syncOperations.fireChannelReadComplete()
            // The next deadline is the pause's, whatever the body's.
            channel.embeddedEventLoop.advanceTime(by: .seconds(29))
            #expect(channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(!channel.isActive)
        }
    }

    @Suite("Which connection makes room for a new one") struct ConnectionRegisterTests {
        private let register = ConnectionRegister(limit: 2)

        private func connect() throws -> EmbeddedChannel {
            let channel = EmbeddedChannel()
            channel.connect(to: try SocketAddress(unixDomainSocketPath: "/x"), promise: nil)
            register.add(channel)
            return channel
        }

        @Test(
            arguments: [
                (.waiting, .waiting, 0), (.receiving, .waiting, 1), (.receiving, .receiving, 0),
                (.responding, .receiving, 1), (.responding, .responding, 2),
            ] as [(ConnectionRegister.Phase, ConnectionRegister.Phase, Int)])
        func waitingOnesCloseFirstAndNoResponseIsCutOff(
            _ first: ConnectionRegister.Phase, _ second: ConnectionRegister.Phase, _ closed: Int
        ) throws {
            var all = [try connect(), try connect()]
            defer { for channel in all { channel.end() } }
            register.set(first, of: all[0])
            register.set(second, of: all[1])
            all.append(try connect())
            #expect(all.indices.filter { !all[$0].isActive } == [closed])
            for channel in all { channel.embeddedEventLoop.run() }
            #expect(register.count == 2)
        }

        @Test func aConnectionThatJustGotItsResponseHasNotWaitedLong() throws {
            let channels = [try connect(), try connect()]
            register.set(.responding, of: channels[0])
            register.set(.waiting, of: channels[0])
            let new = try connect()
            defer { for channel in channels + [new] { channel.end() } }
            #expect(channels.map(\.isActive) == [true, false])
            #expect(new.isActive)
        }

        @Test func whileOneIsClosingTheNextNewConnectionClosesAnotherOne() throws {
            let all = [try connect(), try connect(), try connect(), try connect()]
            defer { for channel in all { channel.end() } }
            #expect(all.map(\.isActive) == [false, false, true, true])
        }
    }
#endif
