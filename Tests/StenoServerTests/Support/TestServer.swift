#if Server
    import Foundation
    import Logging
    import NIOCore
    import NIOPosix
    import Steno
    import StenoCore
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// A server with scripted models on a free local port, for one test.
    struct TestServer {
        let running: RunningServer
        let task: ServerTask
        var port: Int { task.port }

        /// A server that has not started.
        static func make(
            models: [(name: String, model: any SpeechModel)] = [("scripted", SecondFamilyModel())],
            logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            configure: (inout SpeechServer.Configuration) -> Void
        ) -> RunningServer {
            var configuration = SpeechServer.Configuration()
            configuration.port = 0
            configuration.maximumSessions = 2
            configuration.timeouts = .patient
            configure(&configuration)
            let served = ServedModels(names: models.map(\.name)) { name in
                guard let model = models.first(where: { $0.name == name })?.model else { throw ServerError.failed }
                return model
            }
            return RunningServer(configuration, models: served, logger: logger)
        }

        /// The routes of a server with or without a captions page and a history.
        static func routes(hasCaptions: Bool = false, hasHistory: Bool = false) throws -> Routes {
            try make {
                $0.captions = hasCaptions ? CaptionsOptions() : nil
                if hasHistory { $0.captions?.archive = StubArchive() }
            }.router.routes()
        }

        /// Runs a server as long as somebody holds it.
        static func run(
            models: [(name: String, model: any SpeechModel)] = [("scripted", SecondFamilyModel())],
            logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            configure: (inout SpeechServer.Configuration) -> Void = { _ in }
        ) async throws -> TestServer {
            let running = make(models: models, logger: logger, configure: configure)
            let ports = AsyncStream.makeStream(of: Int.self)
            let task = try await ServerTask(ports) { try await running.run { ports.continuation.yield($0.port) } }
            return TestServer(running: running, task: task)
        }

        /// The response of a server to a request.
        static func answer(to request: RawRequest) async throws -> RawResponse { try await run().send(request) }

        /// Runs a server with the captions page and a history.
        static func run(
            archive: any CaptionsArchive, hearing: Hearing = .repeated,
            configure: (inout SpeechServer.Configuration) -> Void = { _ in }
        ) async throws -> TestServer {
            try await run(models: [("scripted", SecondFamilyModel(hearing: hearing))]) {
                $0.captions = CaptionsOptions()
                $0.captions?.archive = archive
                configure(&$0)
            }
        }

        /// Sends a request and reads the response; the connection is closed afterwards.
        func send(_ request: RawRequest) async throws -> RawResponse { try await exchange(request.bytes(port: port)) }

        /// Sends bytes on a new connection and reads until the server closes it.
        func exchange(_ bytes: [UInt8]) async throws -> RawResponse {
            let client = try await SocketClient.connect(port)
            try await client.send(bytes)
            return try await client.response()
        }
    }

    /// A server that listens, and is cancelled when nobody holds it any more.
    final class ServerTask: Sendable {
        let port: Int
        private let task: Task<Void, any Error>

        /// Waits until the server reports its port; one that cannot start throws its error.
        ///
        /// - Parameter run: Runs the server to its end.
        init(
            _ ports: (stream: AsyncStream<Int>, continuation: AsyncStream<Int>.Continuation),
            run: @escaping @Sendable () async throws -> Void
        ) async throws {
            task = Task {
                defer { ports.continuation.finish() }
                try await run()
            }
            var iterator = ports.stream.makeAsyncIterator()
            guard let port = await iterator.next() else {
                task.cancel()
                try await task.value
                throw CancellationError()
            }
            self.port = port
        }

        deinit { task.cancel() }

        /// Waits for the end of the server.
        func finish() async throws { try await task.value }

        /// Cancels the server and waits for its end.
        func cancel() async {
            task.cancel()
            _ = await task.result
        }
    }

    extension SpeechServer.Timeouts {
        /// Timeouts for clients in busy test runs, which may not send or read for minutes.
        static var patient: Self {
            var timeouts = Self()
            (timeouts.header, timeouts.body, timeouts.idle, timeouts.audio) = (1e6, 1e6, 1e6, 1e6)
            return timeouts
        }
    }

    struct RawRequest: CustomTestStringConvertible {
        var method = "GET"
        var path: String
        var host: String?
        var headers: [(String, String)] = []
        var body: [UInt8]?

        /// Without the bytes of an upload, which would make a line of 350 KB in the log of the tests.
        var testDescription: String { "\(method) \(path), \(body?.count ?? 0) bytes" }

        func bytes(port: Int) -> [UInt8] {
            var head = "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? "127.0.0.1:\(port)")\r\nConnection: close\r\n"
            for (name, value) in headers { head += "\(name): \(value)\r\n" }
            if let body { head += "Content-Length: \(body.count)\r\n" }
            return Array((head + "\r\n").utf8) + (body ?? [])
        }

        static func get(_ path: String, headers: [(String, String)] = []) -> Self { Self(path: path, headers: headers) }

        /// A browser's request before a cross-origin call.
        static func preflight(
            _ path: String, from origin: String = "https://good.example", for method: String,
            with headers: String? = nil
        ) -> Self {
            let fields = [("Origin", origin), ("Access-Control-Request-Method", method)]
            let more = headers.map { [("Access-Control-Request-Headers", $0)] } ?? []
            return Self(method: "OPTIONS", path: path, headers: fields + more)
        }

        /// A form with a file and fields.
        static func upload(
            _ file: [UInt8]? = Self.speech(seconds: 3), to path: String = "/v1/audio/transcriptions",
            _ fields: [(String, String)] = [], headers: [(String, String)] = []
        ) -> Self {
            var body: [UInt8] = []
            for (name, value) in fields {
                body += Array("--xyz\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
            }
            if let file {
                body += Array(
                    ("--xyz\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.wav\"\r\n"
                        + "Content-Type: audio/wav\r\n\r\n").utf8)
                body += file + Array("\r\n".utf8)
            }
            body += Array("--xyz--\r\n".utf8)
            return Self(
                method: "POST", path: path,
                headers: [("Content-Type", "multipart/form-data; boundary=xyz")] + headers, body: body)
        }

        /// A WAV file in which the scripted model finds a word in every second.
        static func speech(seconds: Int) -> [UInt8] { wav([Float](repeating: 0.125, count: seconds * 16_000)) }

        /// A WAV file of samples at 16 kHz.
        static func wav(_ samples: [Float]) -> [UInt8] { WAVWriter.header(samples: samples.count) + bytes16(samples) }
    }

    struct RawResponse: Sendable {
        let status: Int
        let headers: [String: String]
        let body: [UInt8]

        struct Malformed: Error { let text: String }

        init(_ bytes: ByteBuffer) throws {
            let all = Array(bytes.readableBytesView)
            guard let end = all.firstRange(of: Array("\r\n\r\n".utf8)) else {
                throw Malformed(text: String(decoding: all, as: UTF8.self))
            }
            let lines = String(decoding: all[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
            guard let first = lines.first?.split(separator: " "), first.count >= 2, let status = Int(first[1]) else {
                throw Malformed(text: lines.first ?? "")
            }
            self.status = status
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                headers[parts[0].lowercased()] = parts.dropFirst().first?.trimmingCharacters(in: .whitespaces) ?? ""
            }
            self.headers = headers
            let rest = Array(all[end.upperBound...])
            body = headers["transfer-encoding"] == "chunked" ? Self.unchunked(rest) : rest
        }

        var text: String { String(decoding: body, as: UTF8.self) }

        var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }

        /// The object within `error`.
        var error: [String: Any] { json["error"] as? [String: Any] ?? [:] }

        var events: [String] {
            text.components(separatedBy: "\n\n").filter { !$0.isEmpty }.map { String($0.dropFirst("data: ".count)) }
        }

        private static func unchunked(_ bytes: [UInt8]) -> [UInt8] {
            var rest = bytes[...]
            var result: [UInt8] = []
            while let line = rest.firstRange(of: [13, 10]) {
                let size = Int(String(decoding: rest[..<line.lowerBound], as: UTF8.self), radix: 16) ?? 0
                guard size > 0, rest.endIndex - line.upperBound >= size else { break }
                result += rest[line.upperBound..<line.upperBound + size]
                rest = rest[(line.upperBound + size + 2)...]
            }
            return result
        }
    }
#endif
