#if Server
    import Foundation
    import Hummingbird
    import NIOCore
    import Steno

    /// `/v1/steno/history`: the sessions that the captions page has saved.
    @available(macOS 14, iOS 17, *)
    struct HistoryRoutes {
        let archive: any CaptionsArchive
        let connections: ConnectionRegister

        /// The maximum size of a change, in bytes.
        private static let longestChange = 1 << 20

        func add(to router: Router<ServerRequestContext>) {
            router.get("/v1/steno/history") { _, context in
                Response.json(["sessions": try await read(context) { try await $0.sessions() }])
            }
            router.get("/v1/steno/history/search") { request, context in
                let query = request.uri.queryParameters.get("q") ?? ""
                return Response.json(["hits": try await read(context) { try await $0.search(query) }])
            }
            router.get("/v1/steno/history/{session}") { _, context in
                let session = try id(context)
                return Response.json(try await read(context) { try await $0.session(session) })
            }
            router.post("/v1/steno/history/{session}") { request, context in
                try await archive.change(try id(context), try await change(request))
                return Response.json(["changed": true])
            }
            router.delete("/v1/steno/history/{session}") { _, context in
                try await archive.delete(try id(context))
                return Response.json(["deleted": true])
            }
            router.get("/v1/steno/history/{session}/export") { request, context in
                try await export(try id(context), as: request.uri.queryParameters.get("format") ?? "txt", context)
            }
            router.get("/v1/steno/history/{session}/summary") { _, context in
                let session = try id(context)
                return Response.json(try await read(context) { try await $0.summary(of: session) })
            }
            router.get("/v1/steno/history/{session}/audio") { _, context in
                let session = try id(context)
                return Self.response(try await read(context) { try await $0.audio(of: session) })
            }
            // Their length is known only after reading all of them, so HEAD would cost as much as GET. Without these
            // routes the router would answer HEAD by GET; the middleware turns this error into a 405.
            for path in ["export", "audio"] {
                router.head(RouterPath("/v1/steno/history/{session}/\(path)")) { _, _ -> Response in
                    throw HTTPError(.notFound)
                }
            }
        }

        /// Reads for the client of a request; if it leaves, the work is cancelled.
        ///
        /// Changes do not go through here: they are made even if the client does not wait for the answer.
        private func read<Value: Sendable>(
            _ context: ServerRequestContext, _ body: @escaping @Sendable (any CaptionsArchive) async throws -> Value
        ) async throws -> Value {
            try await connections.whileConnected(context.channel) { [archive] in try await body(archive) }
        }

        private func id(_ context: ServerRequestContext) throws -> UUID {
            guard let id = context.parameters.get("session").flatMap(UUID.init(uuidString:)) else {
                throw ServerError.unknownSession
            }
            return id
        }

        private func change(_ request: Request) async throws -> JSONValue {
            let body: ByteBuffer
            do {
                body = try await request.body.collect(upTo: Self.longestChange)
            } catch is NIOTooManyBytesError {
                throw ServerError.invalid("The text is too long. Shorten it.", code: "body_too_large", status: 413)
            }
            guard let value = try? JSONValue(parsing: body.readableBytesView), value.object != nil else {
                throw ServerError.invalid("The body must be a JSON object.", code: "invalid_json")
            }
            return value
        }

        private func export(_ id: UUID, as name: String, _ context: ServerRequestContext) async throws -> Response {
            guard let format = TranscriptFormat(rawValue: name) else {
                let known = TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw ServerError.invalid("The format must be one of \(known).", parameter: "format")
            }
            let type = format == .json ? "application/json" : "text/plain; charset=utf-8"
            let text = try await read(context) { try await $0.text(of: id, as: format) }
            return .data(Data(text.utf8), type: type)
        }

        /// A WAV file, read while it is sent.
        private static func response(_ audio: CaptionsAudio) -> Response {
            let header = WAVWriter.header(samples: audio.count)
            let body = ResponseBody(contentLength: header.count + 2 * audio.count) { writer in
                try await writer.write(ByteBuffer(bytes: header))
                while let samples = try await audio.next() {
                    var bytes = ByteBuffer()
                    for sample in samples { bytes.writeInteger(sample.pcm16, endianness: .little) }
                    try await writer.write(bytes)
                }
                try await writer.finish(nil)
            }
            return Response(status: .ok, headers: [.contentType: "audio/wav"], body: body)
        }
    }
#endif
