#if Server
    import Foundation
    import Hummingbird
    import NIOCore
    import Steno

    /// `/v1/steno/history`: the sessions that the captions page has kept.
    @available(macOS 14, iOS 17, *)
    struct HistoryRoutes {
        let archive: any CaptionsArchive

        /// The most bytes of a change.
        private static let longestChange = 1 << 20

        func add(to router: Router<ServerRequestContext>) {
            router.get("/v1/steno/history") { _, _ in
                json(["sessions": try await archive.sessions()])
            }
            router.get("/v1/steno/history/search") { request, _ in
                json(["hits": try await archive.search(request.uri.queryParameters.get("q") ?? "")])
            }
            router.get("/v1/steno/history/{session}") { _, context in
                json(try await archive.session(try id(context)))
            }
            router.post("/v1/steno/history/{session}") { request, context in
                try await archive.change(try id(context), try await change(request))
                return json(["changed": true])
            }
            router.delete("/v1/steno/history/{session}") { _, context in
                try await archive.delete(try id(context))
                return json(["deleted": true])
            }
            router.get("/v1/steno/history/{session}/export") { request, context in
                try await export(try id(context), as: request.uri.queryParameters.get("format") ?? "txt")
            }
            router.get("/v1/steno/history/{session}/audio") { _, context in
                let audio = try await HistoryAudio(of: try id(context), in: archive)
                return audio.response
            }
        }

        private func json(_ value: JSONValue) -> Response { .json(Data(value.text.utf8)) }

        private func id(_ context: ServerRequestContext) throws -> UUID {
            guard let id = context.parameters.get("session").flatMap(UUID.init(uuidString:)) else {
                throw ServerError.invalid(
                    "There is no such session in the history.", parameter: "session", code: "session_not_found",
                    status: 404)
            }
            return id
        }

        private func change(_ request: Request) async throws -> JSONValue {
            let body: ByteBuffer
            do {
                body = try await request.body.collect(upTo: Self.longestChange)
            } catch is NIOTooManyBytesError {
                throw ServerError.invalid("The text is too long.", code: "body_too_large", status: 413)
            }
            guard let value = try? JSONValue(parsing: body.readableBytesView), value.object != nil else {
                throw ServerError.invalid("The body must be a JSON object.", code: "invalid_json")
            }
            return value
        }

        private func export(_ id: UUID, as name: String) async throws -> Response {
            guard let format = TranscriptFormat(rawValue: name) else {
                let known = TranscriptFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw ServerError.invalid("The format must be one of \(known).", parameter: "format")
            }
            let type = format == .json ? "application/json" : "text/plain; charset=utf-8"
            return .data(Data(try await archive.text(of: id, as: format).utf8), type: type)
        }
    }

    /// The audio of a session, written to a file without a name and sent from there.
    @available(macOS 14, iOS 17, *)
    private struct HistoryAudio {
        private let data: Data

        private static let piece = 256 << 10

        init(of id: UUID, in archive: any CaptionsArchive) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("steno-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            // The pages stay as long as the data is used.
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("audio.wav")
            try await archive.writeAudio(of: id, to: file)
            data = try Data(contentsOf: file, options: .alwaysMapped)
        }

        var response: Response {
            let body = ResponseBody(contentLength: data.count) { [data] writer in
                for start in stride(from: 0, to: data.count, by: Self.piece) {
                    try await writer.write(ByteBuffer(bytes: data[start..<min(data.count, start + Self.piece)]))
                }
                try await writer.finish(nil)
            }
            return Response(status: .ok, headers: [.contentType: "audio/wav"], body: body)
        }
    }
#endif
