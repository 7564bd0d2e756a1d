#if Server
    import HTTPTypes
    import NIOCore
    import NIOEmbedded
    import NIOHTTPTypes
    import Testing

    @testable import StenoServer

    @Suite("Time limits of a connection")
    final class ConnectionGuardTests {
        private let head = HTTPRequestPart.head(
            HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/"))
        private let piece = HTTPRequestPart.body(ByteBuffer(string: "x"))
        private let channel: EmbeddedChannel

        init() throws { channel = try Self.connection() }

        deinit { channel.end() }

        /// A connection with limits of 10 s for a header, 100 s for a body and 30 s for a pause.
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

        private func advance(_ seconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .seconds(seconds)) }

        /// Expects the connection to stay open until then, and no longer.
        private func expectEnd(after seconds: Int64, at location: SourceLocation = #_sourceLocation) {
            advance(seconds - 1)
            #expect(channel.isActive, sourceLocation: location)
            advance(1)
            #expect(!channel.isActive, sourceLocation: location)
        }

        private func request() throws {
            try channel.writeInbound(head)
            try channel.writeInbound(HTTPRequestPart.end(nil))
        }

        private func answer(_ status: HTTPResponse.Status = .ok) throws {
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: status)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
            while try channel.readInbound(as: HTTPRequestPart.self) != nil {}
        }

        @Test func aHeaderMustArriveInTime() { expectEnd(after: 10) }

        @Test func aBodyMustNotPause() throws {
            try channel.writeInbound(head)
            // Short enough for the limit of the whole body.
            for _ in 0..<2 {
                advance(29)
                try channel.writeInbound(piece)
            }
            expectEnd(after: 30)
        }

        @Test(arguments: [(1, false), (6 << 20, true)])
        func aBodyMustNotBeSlowALargeOneGetsMoreTime(_ size: Int, _ isOpen: Bool) throws {
            try channel.writeInbound(head)
            for _ in 0..<12 where channel.isActive {
                advance(20)
                guard channel.isActive else { break }
                try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: size)))
            }
            #expect(channel.isActive == isOpen)
        }

        @Test func aRequestMayTakeAnyTimeButTheNextHeaderMayNot() throws {
            try request()
            advance(100_000)
            #expect(channel.isActive)
            try answer()
            expectEnd(after: 10)
        }

        @Test func afterAResponseTheRestOfTheBodyIsDiscardedForAWhile() throws {
            try channel.writeInbound(head)
            try answer()
            try channel.writeInbound(piece)
            #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
            advance(5)
            #expect(!channel.isActive)
        }

        @Test func aPipelinedRequestsBodyIsReadAfterTheFirstResponse() throws {
            try request()
            try channel.writeInbound(head)
            // The server works on the first request and reads nothing.
            advance(100_000)
            #expect(channel.isActive)
            try answer()
            try channel.writeInbound(piece)
            #expect(try channel.readInbound(as: HTTPRequestPart.self) == piece)
            expectEnd(after: 30)
        }

        /// Hummingbird's own 400, without a header before it.
        @Test func afterAMalformedRequestTheNextHeaderMustArriveInTime() throws {
            try answer(.badRequest)
            expectEnd(after: 10)
        }

        @Test(arguments: [false, true])
        func aClientThatStopsReadingIsDisconnectedUnlessItResumes(readsAgain: Bool) throws {
            try request()
            channel.isWritable = false
            channel.pipeline.fireChannelWritabilityChanged()
            advance(29)
            #expect(channel.isActive)
            if readsAgain {
                channel.isWritable = true
                channel.pipeline.fireChannelWritabilityChanged()
            }
            advance(1)
            #expect(channel.isActive == readsAgain)
        }

        @Test func infiniteTimesAndSizesCountAsVeryLargeOnes() throws {
            let seconds = [Double.infinity, .nan, .greatestFiniteMagnitude, -.infinity]
            let longest = TimeAmount.seconds(1_000_000_000)
            #expect(
                seconds.map(ConnectionGuard.Times.amount) == [longest, longest, longest, TimeAmount.milliseconds(1)])
            let channel = try Self.connection(body: .infinity)
            defer { channel.end() }
            try channel.writeInbound(head)
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

        @Test func expect100ContinueIsAnswered() throws {
            var request = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
            request.headerFields[.expect] = "100-continue"
            try channel.writeInbound(HTTPRequestPart.head(request))
            #expect(try channel.readOutbound(as: HTTPResponsePart.self) == .head(HTTPResponse(status: .continue)))
        }

        @Test func aClientThatClosesItsSideDuringARequestIsDisconnected() throws {
            try request()
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            #expect(!channel.isActive)
        }
    }

    @Suite("Which connection makes room for a new one")
    struct ConnectionRegisterTests {
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
