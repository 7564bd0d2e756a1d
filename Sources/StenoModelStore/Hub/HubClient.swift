import Foundation
import Steno

/// Sends requests to the hub: adds the token where that is allowed, and follows redirects.
package struct HubClient: Sendable {
    package let settings: HubSettings
    private let transport: any HTTPTransport
    private static let maximumRedirects = 10

    package init(settings: HubSettings, transport: any HTTPTransport) {
        self.settings = settings
        self.transport = transport
    }

    /// Sends a request and follows redirects; the token is not sent to other hosts.
    ///
    /// - Parameters:
    ///   - passing: Receives the head of each response on the way: the hub describes a file before it redirects to its
    ///     storage.
    ///   - receiver: Receives the last response.
    func send(
        _ request: HTTPRequest, to receiver: any HTTPReceiver,
        passing: @escaping @Sendable (HTTPHead) throws -> Void = { _ in }
    ) async throws {
        var request = request
        for _ in 0...Self.maximumRedirects {
            let filter = RedirectFilter(receiver, passing: passing)
            try await transport.send(authorized(request), to: filter)
            guard let location = filter.location else { return }
            guard let url = URL(string: location, relativeTo: request.url)?.absoluteURL,
                isAllowed(url, from: request.url)
            else {
                throw TransportFailure("the server redirects to an address that is not https", isTransient: false)
            }
            request.url = url
        }
        throw TransportFailure("there are too many redirects", isTransient: false)
    }

    /// Adds the headers of every request; a compressed response could not be resumed.
    private func authorized(_ request: HTTPRequest) -> HTTPRequest {
        var request = request
        request.headers["Accept-Encoding"] = "identity"
        request.headers["User-Agent"] = "steno/\(StenoVersion.current)"
        request.headers["Authorization"] = settings.token(for: request.url).map { "Bearer " + $0 }
        return request
    }

    /// A redirect must not lead from https to http.
    private func isAllowed(_ url: URL, from origin: URL) -> Bool {
        url.scheme == "https" || (url.scheme == "http" && origin.scheme == "http")
    }
}

/// Passes on everything except redirects, and keeps their destination.
private final class RedirectFilter: HTTPReceiver {
    private let receiver: any HTTPReceiver
    private let passing: @Sendable (HTTPHead) throws -> Void
    private let destination = Monitor<String?>(nil)

    init(_ receiver: any HTTPReceiver, passing: @escaping @Sendable (HTTPHead) throws -> Void) {
        self.receiver = receiver
        self.passing = passing
    }

    var location: String? { destination.current }

    func receive(_ head: HTTPHead) throws {
        try passing(head)
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head["Location"] else {
            return try receiver.receive(head)
        }
        destination.current = location
    }

    func receive(_ data: Data) throws { if location == nil { try receiver.receive(data) } }
}

enum HubAnswer {
    /// Throws unless the response is the requested content.
    ///
    /// - Parameter subject: The requested thing, for the message.
    static func check(_ head: HTTPHead, subject: String, hasToken: Bool) throws {
        switch head.status {
        case 200..<300: return
        case 408, 425, 429, 500, 502, 503, 504:
            throw TransientFailure(reason: reason(head.status), retryAfter: retryAfter(head))
        case 401, 403:
            let help =
                hasToken
                ? "Your token has no access to it: accept its conditions on the hub, and check HF_TOKEN."
                : "There is no public one of that name. If it is private or gated, set HF_TOKEN to your token."
            throw StenoError(.downloadFailed, "\(subject) cannot be downloaded (status \(head.status)). \(help)")
        case 404, 410:
            throw StenoError(
                .downloadFailed,
                "\(subject) does not exist on the hub (status \(head.status)). Check the name; if HF_ENDPOINT is set, "
                    + "its mirror may not have it.")
        default:
            throw StenoError(
                .downloadFailed,
                "\(subject) cannot be downloaded: the server answers \(head.status). Try again later; if that does "
                    + "not help, check the address, HF_ENDPOINT and HTTPS_PROXY.")
        }
    }

    /// The error for a failed transfer; transient failures are retried.
    static func failure(_ error: any Error, subject: String) -> any Error {
        guard let error = error as? TransportFailure else { return error }
        return error.isTransient
            ? TransientFailure(reason: error.description)
            : StenoError(.downloadFailed, "\(subject) cannot be downloaded: \(error.description).")
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 429: "the server has too many requests (status 429)"
        case 408: "the server did not wait for the request (status 408)"
        default: "the server has a problem (status \(status))"
        }
    }

    /// The longest wait that is understood, in seconds: a year, since longer ones are as good as never.
    private static let longestWait = 365.0 * 24 * 3600

    /// The wait that a server asks for: seconds, or a date (RFC 9110, section 10.2.3).
    static func retryAfter(_ head: HTTPHead, now: Date = Date()) -> Double? {
        guard let text = head["Retry-After"]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Double(text) { return seconds.isFinite ? min(max(0, seconds), longestWait) : nil }
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return format.date(from: text).map { min(max(0, $0.timeIntervalSince(now)), longestWait) }
    }
}

/// A response small enough to keep in memory.
///
/// `@unchecked Sendable`: all mutable state is accessed under the lock.
final class SmallAnswer: HTTPReceiver, @unchecked Sendable {
    private let lock = NSLock()
    private let limit: Int
    private var answerHead: HTTPHead?
    private var bytes = Data()

    init(limit: Int = 16 << 20) { self.limit = limit }

    var head: HTTPHead? { lock.withLock { answerHead } }
    var body: Data { lock.withLock { bytes } }

    func receive(_ head: HTTPHead) throws { lock.withLock { answerHead = head } }

    func receive(_ data: Data) throws {
        try lock.withLock {
            guard bytes.count + data.count <= limit else {
                throw TransportFailure("the response is longer than any list of files", isTransient: false)
            }
            bytes.append(data)
        }
    }
}
