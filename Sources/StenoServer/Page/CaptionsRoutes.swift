#if Server
    import Foundation
    import Hummingbird
    import NIOCore
    import Steno

    @available(macOS 14, iOS 17, *)
    struct CaptionsRoutes: Sendable {
        let models: ModelHost
        let captions: CaptionsOptions
        let page: CaptionsPage
        let connections: ConnectionRegister

        var routes: [Route] {
            let file: Route.Handler = { request, _ in try page.response(request) }
            let history = captions.archive.map { HistoryRoutes(archive: $0, connections: connections).routes }
            return [
                Route("/", for: .readers, [.get: file]), Route("/overlay", for: .readers, [.get: file]),
                Route("/captions/{file}", for: .readers, isOpen: true, [.get: file]),
                Route("/v1/steno/captions", [.get: { _, _ in .json(try await offer()) }]),
            ] + (history ?? [])
        }

        /// What the page learns about the server.
        private func offer() async throws -> JSONValue {
            [
                "version": .string(StenoVersion.current), "model": .string(models.names[0]),
                "language": captions.language.map(JSONValue.string) ?? .null,
                "languages": .array(try await models.languages(nil).map(JSONValue.string)),
                "speakers": .bool(captions.speakers != nil), "history": .bool(captions.archive != nil),
                "fingerprint": captions.fingerprint.map(JSONValue.string) ?? .null,
            ]
        }
    }

    /// `/v1/steno/history`: the sessions that the captions page has saved.
    @available(macOS 14, iOS 17, *)
    struct HistoryRoutes: Sendable {
        let archive: any CaptionsArchive
        let connections: ConnectionRegister

        /// The maximum size of a change, in bytes.
        private static let longestChange = 1 << 20

        var routes: [Route] {
            let (all, one) = ("/v1/steno/history", "/v1/steno/history/{session}")
            let change: Route.Handler = { request, context in
                try await archive.change(try id(context), try await Self.change(request))
                return .json(["changed": true])
            }
            let delete: Route.Handler = { _, context in
                try await archive.delete(try id(context))
                return .json(["deleted": true])
            }
            return [
                Route(all, [.get: { .json(["sessions": try await read($1) { try await $0.sessions() }]) }]),
                Route(all + "/search", [.get: search]),
                Route(one, [.get: reading { .json(try await $0.session($1)) }, .post: change, .delete: delete]),
                Route(one + "/summary", [.get: reading { .json(try await $0.summary(of: $1)) }]),
                // The length of both is known only after reading all of them.
                Route(one + "/export", refusesHead: true, [.get: export]),
                Route(one + "/audio", refusesHead: true, [.get: reading { Self.response(try await $0.audio(of: $1)) }]),
            ]
        }

        private func search(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
            let query = request.uri.queryParameters.get("q") ?? ""
            return .json(["hits": try await read(context) { try await $0.search(query) }])
        }

        /// Answers with something of a session.
        private func reading(
            _ body: @escaping @Sendable (any CaptionsArchive, UUID) async throws -> Response
        ) -> Route.Handler {
            { _, context in
                let session = try id(context)
                return try await read(context) { try await body($0, session) }
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

        private static func change(_ request: Request) async throws -> JSONValue {
            let body: ByteBuffer
            do { body = try await request.body.collect(upTo: longestChange) } catch is NIOTooManyBytesError {
                throw ServerError.invalid("The text is too long. Shorten it.", code: "body_too_large", status: 413)
            }
            guard let value = try? JSONValue(parsing: body.readableBytesView), value.object != nil else {
                throw ServerError.invalid("The body must be a JSON object.", code: "invalid_json")
            }
            return value
        }

        private func export(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
            let session = try id(context)
            let name = request.uri.queryParameters.get("format") ?? "txt"
            guard let format = TranscriptFormat(rawValue: name) else {
                let known = TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw ServerError.invalid("The format must be one of \(known).", parameter: "format")
            }
            let type = format == .json ? "application/json" : "text/plain; charset=utf-8"
            let text = try await read(context) { try await $0.text(of: session, as: format) }
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
