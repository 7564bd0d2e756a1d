#if Server
    import HTTPTypes
    import NIOCore
    import NIOEmbedded
    import NIOHTTPTypes
    import Testing

    @testable import StenoServer

    @Suite("Time limits of a connection")
    struct ConnectionGuardTests {
        private let head = HTTPRequestPart.head(
            HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/"))
        private let answer = HTTPResponsePart.head(HTTPResponse(status: .ok))

        /// A connection with limits of 10 s for a header, 100 s for a body and 30 s for a pause.
        private func connection(_ register: ConnectionRegister = .init(limit: 10)) throws -> EmbeddedChannel {
            var timeouts = SpeechServer.Timeouts()
            (timeouts.header, timeouts.body, timeouts.idle) = (10, 100, 30)
            let channel = EmbeddedChannel()
            register.add(channel)
            try channel.pipeline.syncOperations.addHandler(
                ConnectionGuard(times: .init(timeouts), register: register))
            channel.connect(to: try SocketAddress(unixDomainSocketPath: "/x"), promise: nil)
            return channel
        }

        private func advance(_ channel: EmbeddedChannel, _ seconds: Int64) {
            channel.embeddedEventLoop.advanceTime(by: .seconds(seconds))
        }

        @Test("A header has to come in time")
        func header() throws {
            let channel = try connection()
            defer { channel.end() }
            advance(channel, 9)
            #expect(channel.isActive)
            advance(channel, 1)
            #expect(!channel.isActive)
        }

        @Test("A body may not pause")
        func pause() throws {
            let channel = try connection()
            defer { channel.end() }
            try channel.writeInbound(head)
            // Short enough that the time of the whole body is not over.
            for _ in 0..<2 {
                advance(channel, 29)
                try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
            }
            #expect(channel.isActive)
            advance(channel, 30)
            #expect(!channel.isActive)
        }

        @Test("A body may not be slow; a large one has more time")
        func slow() throws {
            for (piece, isOpen) in [(1, false), (6 << 20, true)] {
                let channel = try connection()
                defer { channel.end() }
                try channel.writeInbound(head)
                for _ in 0..<12 where channel.isActive {
                    advance(channel, 20)
                    if channel.isActive {
                        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 0, count: piece)))
                    }
                }
                #expect(channel.isActive == isOpen)
            }
        }

        @Test("Work on a request may take any time, and the next header has to come in time again")
        func work() throws {
            let channel = try connection()
            defer { channel.end() }
            try channel.writeInbound(head)
            try channel.writeInbound(HTTPRequestPart.end(nil))
            advance(channel, 100_000)
            #expect(channel.isActive)
            try channel.writeOutbound(answer)
            try channel.writeOutbound(HTTPResponsePart.end(nil))
            advance(channel, 9)
            #expect(channel.isActive)
            advance(channel, 1)
            #expect(!channel.isActive)
        }

        @Test("After a response the rest of the body is read for a while and dropped")
        func refused() throws {
            let channel = try connection()
            defer { channel.end() }
            try channel.writeInbound(head)
            try channel.writeOutbound(answer)
            try channel.writeOutbound(HTTPResponsePart.end(nil))
            while try channel.readInbound(as: HTTPRequestPart.self) != nil {}
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
            #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
            advance(channel, 5)
            #expect(!channel.isActive)
        }

        @Test("The body of a request that was sent ahead is read after the response to the first one")
        func sentAhead() throws {
            let channel = try connection()
            defer { channel.end() }
            try channel.writeInbound(head)
            try channel.writeInbound(HTTPRequestPart.end(nil))
            try channel.writeInbound(head)
            // The server works on the first request and reads nothing.
            advance(channel, 100_000)
            #expect(channel.isActive)
            try channel.writeOutbound(answer)
            try channel.writeOutbound(HTTPResponsePart.end(nil))
            while try channel.readInbound(as: HTTPRequestPart.self) != nil {}
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
            #expect(try channel.readInbound(as: HTTPRequestPart.self) == .body(ByteBuffer(string: "x")))
            advance(channel, 29)
            #expect(channel.isActive)
            advance(channel, 1)
            #expect(!channel.isActive)
        }

        @Test("After the answer to what is no request, the next header has to come in time")
        func noRequest() throws {
            let channel = try connection()
            defer { channel.end() }
            // Hummingbird's own 400, without a header before it.
            try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .badRequest)))
            try channel.writeOutbound(HTTPResponsePart.end(nil))
            advance(channel, 9)
            #expect(channel.isActive)
            advance(channel, 1)
            #expect(!channel.isActive)
        }

        @Test("A client that does not read its response is not waited for, and one that reads again is")
        func stall() throws {
            for readsAgain in [false, true] {
                let channel = try connection()
                defer { channel.end() }
                try channel.writeInbound(head)
                try channel.writeInbound(HTTPRequestPart.end(nil))
                channel.isWritable = false
                channel.pipeline.fireChannelWritabilityChanged()
                advance(channel, 29)
                #expect(channel.isActive)
                if readsAgain {
                    channel.isWritable = true
                    channel.pipeline.fireChannelWritabilityChanged()
                }
                advance(channel, 1)
                #expect(channel.isActive == readsAgain)
            }
        }

        @Test("Times and sizes without an end are taken as very large ones")
        func endless() throws {
            for seconds in [Double.infinity, .nan, .greatestFiniteMagnitude] {
                #expect(ConnectionGuard.Times.amount(seconds) == .seconds(1_000_000_000))
            }
            #expect(ConnectionGuard.Times.amount(-.infinity) == .milliseconds(1))
            var timeouts = SpeechServer.Timeouts()
            timeouts.body = .infinity
            let channel = EmbeddedChannel()
            defer { channel.end() }
            try channel.pipeline.syncOperations.addHandler(
                ConnectionGuard(times: .init(timeouts), register: .init(limit: 1)))
            channel.connect(to: try SocketAddress(unixDomainSocketPath: "/x"), promise: nil)
            try channel.writeInbound(head)
            // Sixteen times the usual size has sixteen times the time.
            let piece = ByteBuffer(repeating: 0, count: 16 << 20)
            for _ in 0..<16 { try channel.writeInbound(HTTPRequestPart.body(piece)) }
            // The next deadline is that of a pause, whatever the time of the body.
            advance(channel, 29)
            #expect(channel.isActive)
            advance(channel, 1)
            #expect(!channel.isActive)
        }

        @Test("A client that asks whether to send its body is answered")
        func expectation() throws {
            let channel = try connection()
            defer { channel.end() }
            var request = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/")
            request.headerFields[.expect] = "100-continue"
            try channel.writeInbound(HTTPRequestPart.head(request))
            guard case .head(let response) = try channel.readOutbound(as: HTTPResponsePart.self) else {
                Issue.record("No answer.")
                return
            }
            #expect(response.status == .continue)
        }

        @Test("When the client closes its side during the work, the connection is closed")
        func leaving() throws {
            let channel = try connection()
            defer { channel.end() }
            try channel.writeInbound(head)
            try channel.writeInbound(HTTPRequestPart.end(nil))
            channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
            #expect(!channel.isActive)
        }
    }
#endif
