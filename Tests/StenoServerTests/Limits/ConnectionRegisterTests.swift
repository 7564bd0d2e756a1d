#if Server
    import NIOCore
    import NIOEmbedded
    import Testing

    @testable import StenoServer

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
            "Waiting ones close first, then receiving ones, the oldest first; no response is cut off",
            arguments: [
                (.waiting, .waiting, 0), (.receiving, .waiting, 1), (.receiving, .receiving, 0),
                (.responding, .receiving, 1), (.responding, .responding, 2),
            ] as [(ConnectionRegister.Phase, ConnectionRegister.Phase, Int)])
        func order(_ first: ConnectionRegister.Phase, _ second: ConnectionRegister.Phase, _ closed: Int) throws {
            var all = [try connect(), try connect()]
            defer { for channel in all { channel.end() } }
            register.set(first, of: all[0])
            register.set(second, of: all[1])
            all.append(try connect())
            #expect(all.indices.filter { !all[$0].isActive } == [closed])
            for channel in all { channel.embeddedEventLoop.run() }
            #expect(register.count == 2)
        }

        @Test("A connection that just got its response has not waited long")
        func again() throws {
            let channels = [try connect(), try connect()]
            register.set(.responding, of: channels[0])
            register.set(.waiting, of: channels[0])
            let new = try connect()
            defer { for channel in channels + [new] { channel.end() } }
            #expect(channels.map(\.isActive) == [true, false])
            #expect(new.isActive)
        }

        @Test("While one is closing, the next new connection closes another one")
        func closing() throws {
            let all = [try connect(), try connect(), try connect(), try connect()]
            defer { for channel in all { channel.end() } }
            #expect(all.map(\.isActive) == [false, false, true, true])
        }
    }
#endif
