#if Server
    import NIOCore
    import NIOEmbedded
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    @Suite struct WyomingParserTests {
        private func parse(_ bytes: some Sequence<UInt8>) throws -> [WyomingEvent] {
            var parser = WyomingParser(), buffer = ByteBuffer(bytes: bytes), events: [WyomingEvent] = []
            while let event = try parser.next(&buffer) { events.append(event) }
            return events
        }

        private let events = [
            WyomingEvent("describe"), WyomingEvent("transcribe", ["language": "de-DE"]),
            WyomingEvent("audio-chunk", ["rate": 16000, "width": 2, "channels": 1], payload: [10, 13, 0, 255]),
            WyomingEvent("audio-stop", ["timestamp": nil]),
        ]

        @Test func eventsSurviveARoundTrip() throws { #expect(try parse(events.flatMap(\.bytes)) == events) }

        @Test(arguments: [1, 2, 7, 64]) func piecesOfAnySizeAreJoined(_ size: Int) throws {
            let bytes = events.flatMap(\.bytes)
            var parser = WyomingParser(), buffer = ByteBuffer(), read: [WyomingEvent] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                buffer.writeBytes(bytes[start..<min(start + size, bytes.count)])
                while let event = try parser.next(&buffer) { read.append(event) }
            }
            #expect(read == events)
        }

        @Test func dataInTheLineAndAfterItAreJoined() throws {
            let line =
                #"{"type": "x", "data": {"a": 1, "b": 1}, "data_length": 8, "payload_length": null}"# + "\n{\"b\": 2}"
            #expect(try parse(line.utf8) == [WyomingEvent("x", ["a": 1, "b": 2])])
        }

        @Test(arguments: [
            "\n", "[]\n", "{}\n", #"{"type": 1}"# + "\n", #"{"type": "x", "data_length": -1}"# + "\n",
            #"{"type": "x", "data_length": 1.5}"# + "\n", #"{"type": "x", "payload_length": 99999999999}"# + "\n",
            #"{"type": "x", "data_length": 2}"# + "\n[]", #"{"type": "x", "payload_length": "2"}"# + "\n",
        ])
        func malformedMessagesAreErrors(_ text: String) {
            #expect(throws: WyomingParser.Malformed.self) { try parse(text.utf8) }
        }

        @Test func aLineWithoutAnEndIsAnErrorBeforeItFillsTheMemory() {
            #expect(throws: WyomingParser.Malformed.self) { try parse([UInt8](repeating: 32, count: 70_000)) }
        }

        @Test func randomChangesGiveErrorsOrOtherMessages() {
            var random = SplitMix64(seed: 3)
            let bytes = events.flatMap(\.bytes)
            var errors = 0
            let rounds = isLong ? 2000 : 200
            for _ in 0..<rounds {
                var changed = bytes
                for _ in 0..<3 {
                    changed[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
                }
                do { _ = try parse(changed) } catch { errors += 1 }
            }
            #expect(errors > rounds / 4)
        }
    }

    @Suite struct WaitingBytesLimitTests {
        @Test func aClientThatDoesNotReadIsDisconnectedWhenTooMuchIsQueued() throws {
            let stuck = StuckHandler<ByteBuffer>()
            let channel = EmbeddedChannel(handlers: [stuck, WaitingBytesLimit(1000)])
            defer { channel.end() }
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
            let piece = ByteBuffer(repeating: 0, count: 100)
            for _ in 0..<10 { channel.write(piece, promise: nil) }
            #expect(channel.isActive)
            stuck.release()
            for _ in 0..<10 { channel.write(piece, promise: nil) }
            #expect(channel.isActive, "what was read does not count")
            channel.write(ByteBuffer(repeating: 0, count: 1), promise: nil)
            #expect(!channel.isActive)
        }
    }
#endif
