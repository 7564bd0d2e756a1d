#if Server
    import Foundation
    import Hummingbird
    import NIOCore

    /// The REST calls of realtime transcription: tokens for browsers.
    @available(macOS 14, iOS 17, *)
    struct RealtimeTokenRoutes {
        let tokens: EphemeralTokens

        /// The maximum size of a request, in bytes.
        private static let limit = 256 << 10

        func add(to router: Router<ServerRequestContext>) {
            router.post("/v1/realtime/client_secrets") { request, _ in
                Response.json(try tokens.clientSecret(try await Self.body(request)))
            }
            router.post("/v1/realtime/transcription_sessions") { request, _ in
                Response.json(try tokens.transcriptionSession(try await Self.body(request)))
            }
            router.get("/v1/realtime") { _, _ -> Response in
                throw ServerError.invalid(
                    "This path needs a WebSocket connection: send an upgrade request.", code: "upgrade_required",
                    status: 426)
            }
        }

        private static func body(_ request: Request) async throws -> [UInt8] {
            do {
                return Array(try await request.body.collect(upTo: limit).readableBytesView)
            } catch is NIOTooManyBytesError {
                throw ServerError.invalid("The body is too long. Shorten it.", code: "body_too_large", status: 413)
            }
        }
    }
#endif
