#if Server
    import Steno
    import StenoCore

    /// Why a request failed, in the form of OpenAI's API, for REST bodies and realtime `error` events alike.
    package struct ServerError: Error, Sendable, Hashable, CustomStringConvertible {
        package var status: Int
        /// What is wrong and what to do, for the user.
        package var message: String
        /// The kind: `invalid_request_error`, `authentication_error`, `server_error`.
        package var type: String
        /// The invalid field of the request.
        package var parameter: String?
        /// The reason, for programs.
        package var code: String?
        /// The seconds after which to try again, for the `Retry-After` header.
        package var retryAfter: Int?

        package init(
            status: Int, message: String, type: String, parameter: String? = nil, code: String? = nil,
            retryAfter: Int? = nil
        ) {
            (self.status, self.message, self.type, self.parameter) = (status, message, type, parameter)
            (self.code, self.retryAfter) = (code, retryAfter)
        }

        package var description: String { message }
    }

    // MARK: The errors of the server

    extension ServerError {
        /// The request is invalid, or asks for something unsupported.
        package static func invalid(
            _ message: String, parameter: String? = nil, code: String? = nil, status: Int = 400
        ) -> Self {
            Self(
                status: status, message: message, type: "invalid_request_error", parameter: parameter, code: code)
        }

        /// A field of the request has a value that it cannot have.
        ///
        /// - Parameter field: Its path in the request, such as `session.audio.input.format`.
        package static func invalidValue(_ message: String, _ field: String) -> Self {
            .invalid(message, parameter: field, code: "invalid_value")
        }

        /// The server is at its limit; the same request may succeed later.
        package static func busy(retryAfter: Int) -> Self {
            Self(
                status: 503, message: "The server is at its limit. Try again in \(retryAfter) s.",
                type: "server_error", code: "server_busy", retryAfter: retryAfter)
        }

        package static let shuttingDown = Self(
            status: 503, message: "The server is shutting down.", type: "server_error", code: "shutting_down",
            retryAfter: 5)

        package static let unauthorized = Self(
            status: 401, message: "The API key is missing or wrong. Send it as “Authorization: Bearer KEY”.",
            type: "authentication_error", code: "invalid_api_key")

        package static func unknownModel(_ name: String, served: [String]) -> Self {
            .invalid(
                "The model “\(name.prefix(100))” is not served here. Served: \(served.joined(separator: ", ")).",
                parameter: "model", code: "model_not_found", status: 404)
        }

        package static let unknownSession = Self.invalid(
            "There is no such session in the history. It may have been deleted.", parameter: "session",
            code: "session_not_found", status: 404)

        /// A failure that is not the client's fault; the log has details under the request's id.
        package static let failed = Self(
            status: 500, message: "The server failed. Its log says more.", type: "server_error", code: "internal_error")

        /// A model's files are damaged or gone; other models may work.
        package static let modelUnavailable = Self(
            status: 500, message: "The server cannot load this model. Its log says why. Another model may work.",
            type: "server_error", parameter: "model", code: "model_unavailable")

        /// Converts any error to one for a client.
        ///
        /// Only messages about the client's own request are passed on: others could name files on this machine.
        package init(_ error: any Error) {
            if let error = error as? ServerError {
                self = error
            } else if let error = error as? StenoError {
                self = Self.error(error)
            } else {
                self = .failed
            }
        }

        private static func error(_ error: StenoError) -> Self {
            switch error.code {
            case .notAudio, .audioDamaged, .audioEmpty, .audioUnreadable, .audioTruncated:
                .invalid(error.message, parameter: "file", code: "invalid_audio")
            case .unknownLanguage: .invalid(error.message, parameter: "language", code: "unknown_language")
            case .invalidOption: .invalid(error.message, code: "invalid_value")
            case .decoderMissing: .invalid(error.message, parameter: "file", code: "decoder_missing", status: 415)
            case .outOfMemory: .busy(retryAfter: 30)
            case .modelNotFound, .modelDamaged, .modelUnsupported: .modelUnavailable
            default: .failed
            }
        }
    }

    // MARK: JSON

    extension ServerError {
        /// The body of a response: `{"error": {…}}`.
        var body: JSONValue { ["error": .object(members)] }

        /// The error in an event, with the id of the client's event that caused it.
        func json(cause: String?) -> JSONValue {
            .object(members.merging(["event_id": cause.map(JSONValue.string) ?? .null]) { $1 })
        }

        /// All four fields, `null` if they have no value.
        private var members: [String: JSONValue] {
            [
                "message": .string(message), "type": .string(type), "param": parameter.map(JSONValue.string) ?? .null,
                "code": code.map(JSONValue.string) ?? .null,
            ]
        }
    }
#endif
