#if Server
    import Foundation
    import HTTPTypes
    import Hummingbird
    import NIOCore
    import Steno
    import StenoCore

    /// `POST /v1/audio/transcriptions` and `/v1/audio/translations`.
    @available(macOS 14, iOS 17, *)
    struct SpeechEndpoint: Sendable {
        let server: ServerContext
        let connections: ConnectionRegister
        /// The largest upload, in bytes.
        let maximumUpload: Int
        let uploads: UploadBudget
        /// The memory budget of long fields.
        let memory: UploadBudget
        let task: TranscriptionTask

        func respond(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
            try checkQueue()
            let job = try await job(request)
            if job.request.isStreamed { return try await stream(job, context) }
            let transcript = try await transcript(job, context)
            let body = TranscriptBody(transcript: transcript, request: job.request)
            return .data(body.data, type: job.request.format.contentType)
        }

        private func transcript(_ job: SpeechJob, _ context: ServerRequestContext) async throws -> Transcript {
            do {
                return try await connections.whileConnected(context.channel) { try await job.run() }
            } catch let error as CancellationError {
                server.metrics.add(.abandoned, labels: ["kind": "file"])
                throw error
            }
        }

        /// Refuses a request before its upload if it would be refused after it.
        private func checkQueue() throws {
            do { try server.admission.checkFileQueue() } catch {
                server.metrics.add(.refused, labels: ["kind": "file"])
                throw error
            }
        }

        private func job(_ request: Request) async throws -> SpeechJob {
            if let length = request.headers[.contentLength].flatMap({ Int($0) }),
                length > maximumUpload + UploadedForm.fieldsRoom(SpeechRequest.longFields)
            {
                throw UploadedFile.tooLarge(limit: maximumUpload)
            }
            let form = try await UploadedForm.read(
                request.body, contentType: request.headers[.contentType] ?? "", keeping: SpeechRequest.fields,
                long: SpeechRequest.longFields, memory: memory,
                file: UploadedFile(limit: maximumUpload, budget: uploads))
            guard let file = form.file, file.byteCount > 0 else {
                throw ServerError.invalid(
                    "The form has no field “file”. Send the audio in it.", parameter: "file", code: "missing_file")
            }
            let speech = try SpeechRequest(form, task: task)
            _ = try server.models.resolve(speech.model)
            return SpeechJob(server: server, request: speech, file: file)
        }

        // MARK: Streaming

        private enum Piece: Sendable {
            case segment(Segment)
            case end(Transcript)
        }

        /// A response that begins with the first text; a failure before that is an ordinary error.
        private func stream(_ job: SpeechJob, _ context: ServerRequestContext) async throws -> Response {
            let (pieces, input) = AsyncThrowingStream<Piece, any Error>.makeStream()
            let work = Task { [connections, metrics = server.metrics] in
                do {
                    let transcript = try await connections.whileConnected(context.channel) {
                        try await job.run { event in
                            if case .segment(let segment) = event { input.yield(.segment(segment)) }
                        }
                    }
                    input.yield(.end(transcript))
                    input.finish()
                } catch {
                    if error is CancellationError { metrics.add(.abandoned, labels: ["kind": "file"]) }
                    input.finish(throwing: error)
                }
            }
            // The reader is dropped when the client leaves or the request is cancelled.
            input.onTermination = { _ in work.cancel() }
            var iterator = pieces.makeAsyncIterator()
            guard let first = try await iterator.next() else { throw CancellationError() }
            let body = ResponseBody { writer in
                var events = TranscriptEvents(job.request)
                var iterator = pieces.makeAsyncIterator()
                var next: Piece? = first
                while let piece = next {
                    try await writer.write(Self.buffer(Self.data(for: piece, &events)))
                    do { next = try await iterator.next() } catch {
                        try await writer.write(Self.buffer([TranscriptEvents.failure(ServerError(error))]))
                        next = nil
                    }
                }
                try await writer.finish(nil)
            }
            return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
        }

        private static func data(for piece: Piece, _ events: inout TranscriptEvents) -> [Data] {
            switch piece {
            case .segment(let segment): events.events(for: segment)
            case .end(let transcript): events.end(transcript)
            }
        }

        private static func buffer(_ events: [Data]) -> ByteBuffer {
            var buffer = ByteBuffer()
            for event in events { buffer.writeBytes(event) }
            return buffer
        }
    }
#endif
