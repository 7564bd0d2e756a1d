#if Server
    package import Foundation
    import Hummingbird
    import NIOCore
    import StenoCore

    /// Short-lived tokens for browsers, each of which opens realtime sessions with a configuration set by its creator.
    ///
    /// They are kept in memory only, so a restart invalidates them.
    package final class EphemeralTokens: Sendable {
        private struct Entry: Sendable {
            let configuration: RealtimeConfiguration
            let expiry: Date
        }

        /// The seconds a token can be valid for.
        static let validities = 10...7200
        /// The seconds a token is valid for if its creator names none.
        private static let standardValidity = 600
        /// More tokens than this are refused, so that no client can exhaust the memory.
        static let limit = 10_000

        private let entries = Monitor<[String: Entry]>([:])

        package init() {}

        /// The configuration of a token; nil if it is unknown or expired.
        package func configuration(_ token: String, now: Date = Date()) -> RealtimeConfiguration? {
            entries.update { entries in
                guard let entry = entries[token] else { return nil }
                if entry.expiry > now { return entry.configuration }
                entries[token] = nil
                return nil
            }
        }

        /// Answers `POST /v1/realtime/client_secrets`.
        ///
        /// - Parameter body: The request as JSON; empty for the defaults.
        /// - Throws: ``ServerError``.
        package func clientSecret(_ body: some Collection<UInt8>, now: Date = Date()) throws(ServerError) -> JSONValue {
            let request = try Self.parse(body)
            let validity = try Self.validity(request["expires_after"])
            var configuration = RealtimeConfiguration()
            try configuration.update(request["session"] ?? [:])
            let (token, expiry) = try issue(configuration, now.addingTimeInterval(Double(validity)), now)
            return [
                "value": .string(token), "expires_at": .number(expiry),
                "session": configuration.json(id: "sess_\(Self.random(16))"),
            ]
        }

        /// Answers `POST /v1/realtime/transcription_sessions` of the beta API.
        ///
        /// - Parameter body: The session object as JSON.
        /// - Throws: ``ServerError``.
        package func transcriptionSession(
            _ body: some Collection<UInt8>, now: Date = Date()
        ) throws(ServerError) -> JSONValue {
            var configuration = RealtimeConfiguration()
            try configuration.update(try Self.parse(body))
            let (token, expiry) = try issue(configuration, now.addingTimeInterval(60), now)
            var session = configuration.formerJSON(id: "sess_\(Self.random(16))").object ?? [:]
            session["client_secret"] = ["value": .string(token), "expires_at": .number(expiry)]
            return .object(session)
        }

        /// The seconds a token is to be valid for, of a client's `expires_after`.
        private static func validity(_ expiry: JSONValue?) throws(ServerError) -> Int {
            guard let expiry, !expiry.isNull else { return standardValidity }
            guard expiry.object != nil else { throw .invalidValue("expires_after must be an object.", "expires_after") }
            guard let given = expiry["seconds"], !given.isNull else { return standardValidity }
            guard let seconds = given.integer, validities.contains(seconds) else {
                throw .invalidValue("The seconds must be a whole number from 10 to 7200.", "expires_after.seconds")
            }
            return seconds
        }

        private func issue(
            _ configuration: RealtimeConfiguration, _ expiry: Date, _ now: Date
        ) throws(ServerError) -> (String, Double) {
            let token = "ek_" + Self.random(32)
            let isFull = entries.update { entries in
                if entries.count >= Self.limit { entries = entries.filter { $0.value.expiry > now } }
                if entries.count >= Self.limit { return true }
                entries[token] = Entry(configuration: configuration, expiry: expiry)
                return false
            }
            if isFull { throw .busy(retryAfter: 60) }
            return (token, expiry.timeIntervalSince1970.rounded(.down))
        }

        private static func parse(_ body: some Collection<UInt8>) throws(ServerError) -> JSONValue {
            guard !body.isEmpty else { return [:] }
            guard let value = try? JSONValue(parsing: body), value.object != nil else {
                throw .invalid("The body must be a JSON object.", code: "invalid_json")
            }
            return value
        }

        /// Random letters and digits from the system's generator, which is cryptographically secure.
        package static func random(_ count: Int) -> String {
            let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
            return String((0..<count).map { _ in letters[Int.random(in: 0..<letters.count)] })
        }
    }

    // MARK: Requests

    @available(macOS 14, iOS 17, *)
    extension EphemeralTokens {
        /// The REST calls of realtime transcription: tokens for browsers.
        var routes: [Route] {
            [
                Route(
                    RealtimeEndpoint.path,
                    [
                        .get: { _, _ in
                            throw ServerError.invalid(
                                "This path needs a WebSocket connection: send an upgrade request.",
                                code: "upgrade_required", status: 426)
                        }
                    ]),
                Route(
                    "/v1/realtime/client_secrets",
                    [.post: { request, _ in .json(try self.clientSecret(try await Self.body(request))) }]),
                Route(
                    "/v1/realtime/transcription_sessions",
                    [.post: { request, _ in .json(try self.transcriptionSession(try await Self.body(request))) }]),
            ]
        }

        /// The maximum size of a request, in bytes.
        private static let longestRequest = 256 << 10

        private static func body(_ request: Request) async throws -> [UInt8] {
            do {
                return Array(try await request.body.collect(upTo: longestRequest).readableBytesView)
            } catch is NIOTooManyBytesError {
                throw ServerError.invalid("The body is too long. Shorten it.", code: "body_too_large", status: 413)
            }
        }
    }
#endif
