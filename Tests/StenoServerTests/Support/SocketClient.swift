#if Server
    import Foundation
    import NIOCore
    import NIOPosix
    import NIOSSL
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// A connection whose every byte a test sees; it is closed when nobody holds it any more.
    ///
    /// A class, since `#expect` calls methods on a copy of a value, and unread bytes would be lost with it.
    final class SocketClient {
        private typealias Ends = (NIOAsyncChannelInboundStream<ByteBuffer>, NIOAsyncChannelOutboundWriter<ByteBuffer>)

        private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
        private let isLeaving: AsyncGate
        private let connection: Task<Void, any Error>
        private var server: ServerTask?
        var unread = ByteBuffer()

        private init(_ ends: Ends, isLeaving: AsyncGate, connection: Task<Void, any Error>) {
            (inbound, outbound) = (ends.0.makeAsyncIterator(), ends.1)
            self.isLeaving = isLeaving
            self.connection = connection
        }

        deinit { isLeaving.open() }

        /// Disconnects.
        func close() async {
            isLeaving.open()
            _ = await connection.result
        }

        /// - Parameters:
        ///   - certificate: For TLS, like a browser that trusts only this certificate and knows the server by name.
        ///   - closesHalf: Whether ``finish()`` leaves the server's side open.
        static func connect(
            _ port: Int, trusting certificate: URL? = nil, name: String = "localhost", closesHalf: Bool = false
        ) async throws -> SocketClient {
            let tls = try certificate.map { certificate in
                var configuration = TLSConfiguration.makeClientConfiguration()
                configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(certificate.path))
                configuration.applicationProtocols = ["http/1.1"]
                return try NIOSSLContext(configuration: configuration)
            }
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        if let tls {
                            try channel.pipeline.syncOperations.addHandler(
                                try NIOSSLClientHandler(context: tls, serverHostname: name))
                        }
                        return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                            wrappingChannelSynchronously: channel,
                            configuration: .init(isOutboundHalfClosureEnabled: closesHalf))
                    }
                }
            let (opened, input) = AsyncStream.makeStream(of: Ends.self), isLeaving = AsyncGate()
            let connection = Task {
                defer { input.finish() }
                try await channel.executeThenClose { inbound, outbound in
                    input.yield((inbound, outbound))
                    await isLeaving.wait()
                }
            }
            for await ends in opened { return SocketClient(ends, isLeaving: isLeaving, connection: connection) }
            try await connection.value
            throw CancellationError()
        }

        /// Connects and opens a WebSocket.
        static func talk(
            _ port: Int, _ path: String = "/v1/steno/live", _ headers: [String] = []
        ) async throws -> SocketClient {
            let client = try await connect(port), head = try await client.upgrade(path, headers)
            try #require(head.hasPrefix("HTTP/1.1 101 "), "\(head)")
            return client
        }

        /// The only client of a server, which it holds.
        static func talk(_ server: ServerTask, _ path: String = "/v1/steno/live") async throws -> SocketClient {
            let client = try await talk(server.port, path)
            client.server = server
            return client
        }

        static func connect(holding server: ServerTask) async throws -> SocketClient {
            let client = try await connect(server.port)
            client.server = server
            return client
        }

        /// The head of the response to a request for a WebSocket.
        static func answer(_ port: Int, _ path: String, _ headers: [String] = []) async throws -> String {
            let client = try await connect(port), head = try await client.upgrade(path, headers)
            await client.close()
            return head
        }

        /// The codes of all that a WebSocket's client gets for one message, up to the end of the connection.
        static func codes(_ port: Int, _ message: JSONValue, _ headers: [String] = []) async throws -> [JSONValue] {
            let client = try await talk(port, "/v1/steno/live", headers)
            try await client.say(message)
            let codes = try await client.events(to: "close").compactMap { $0["code"] }
            await client.close()
            return codes
        }

        func send(_ bytes: some Sequence<UInt8>) async throws { try await outbound.write(ByteBuffer(bytes: bytes)) }

        func finish() { outbound.finish() }

        /// Sends a request and reads its response until the server closes the connection.
        func response(to request: RawRequest, port: Int) async throws -> RawResponse {
            try await send(request.bytes(port: port))
            return try await response()
        }

        /// All that is left to read until the server closes the connection, as a response.
        func response() async throws -> RawResponse {
            while try await more() {}
            return try RawResponse(unread)
        }

        /// Waits for more bytes; false at the end.
        func more() async throws -> Bool {
            guard let piece = try await inbound.next() else { return false }
            unread.writeImmutableBuffer(piece)
            return true
        }

        /// Sends a request and returns the head of the response; the body, if there is one, stays unread.
        func request(_ path: String, _ headers: [String] = []) async throws -> String {
            let lines = ["GET \(path) HTTP/1.1", "Host: localhost"] + headers
            try await send((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
            while true {
                let text = String(buffer: unread)
                if let end = text.range(of: "\r\n\r\n") {
                    unread.moveReaderIndex(forwardBy: text[..<end.upperBound].utf8.count)
                    return String(text[..<end.lowerBound])
                }
                guard try await more() else { return text }
            }
        }

        /// Requests a WebSocket with the example key of RFC 6455.
        func upgrade(_ path: String, _ headers: [String] = []) async throws -> String {
            try await request(
                path,
                [
                    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
                    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                ] + headers)
        }

        func say(_ event: JSONValue) async throws { try await send(ClientFrames.bytes(1, Array(event.text.utf8))) }

        /// Says hello, with more fields, and returns the welcome.
        @discardableResult func hello(_ more: [String: JSONValue] = [:]) async throws -> JSONValue {
            try await say(.object(["type": "hello", "language": "en"].merging(more) { $1 }))
            let last = try await events(to: "welcome").last
            try #require(last?["type"] == "welcome", "\(last ?? .null)")
            return last ?? .null
        }

        /// Sends the audio of a live session from a position on, in messages of a size.
        func speak(_ samples: [Float], from position: Int = 0, piece: Int = .max) async throws {
            var rest = samples[...]
            while !rest.isEmpty {
                try await send(ClientFrames.audio(rest.prefix(piece), at: position + rest.startIndex))
                rest = rest.dropFirst(piece)
            }
        }

        /// Ends the session, and returns the events up to the end of the connection.
        @discardableResult func end() async throws -> [JSONValue] {
            try await say(["type": "finish"])
            return try await events(to: "close")
        }

        /// The next frame of the server; nil at the end.
        func frame() async throws -> (opcode: UInt8, payload: [UInt8])? {
            while true {
                if let frame = Self.parse(&unread) { return frame }
                guard try await more() else { return nil }
            }
        }

        /// The next message other than a ping; a close frame becomes an event `close`.
        func event() async throws -> JSONValue? {
            while let frame = try await frame() {
                if frame.opcode == 1 { return try JSONValue(parsing: frame.payload) }
                if frame.opcode == 8 {
                    return [
                        "type": "close", "code": .number(Double(frame.payload[0]) * 256 + Double(frame.payload[1])),
                    ]
                }
            }
            return nil
        }

        /// The events up to and including one of a type.
        func events(to type: String) async throws -> [JSONValue] {
            var events: [JSONValue] = []
            while let event = try await event() {
                events.append(event)
                if event["type"]?.string == type { break }
            }
            return events
        }

        private static func parse(_ buffer: inout ByteBuffer) -> (opcode: UInt8, payload: [UInt8])? {
            var copy = buffer
            guard let first = copy.readInteger(as: UInt8.self), let second = copy.readInteger(as: UInt8.self) else {
                return nil
            }
            let length: Int? =
                switch second {
                case 126: copy.readInteger(as: UInt16.self).map { Int($0) }
                case 127: copy.readInteger(as: UInt64.self).map { Int($0) }
                default: Int(second)
                }
            guard let length, let payload = copy.readBytes(length: length) else { return nil }
            buffer = copy
            return (first & 0x0F, payload)
        }
    }

    extension [JSONValue] {
        /// The text of a client that joins final texts and the punctuation at the end of utterances.
        var spokenText: String {
            filter { $0["type"] == "final" || $0["type"] == "utterance_end" }.compactMap { $0["text"]?.string }.joined()
        }

        /// Whether there is final text, and none of it is missing or repeated.
        var hasEveryFinal: Bool {
            let ids = filter { $0["type"] == "final" }.compactMap { $0["id"]?.integer }
            return ids == (0..<ids.count).map { $0 } && !ids.isEmpty
        }
    }
#endif
