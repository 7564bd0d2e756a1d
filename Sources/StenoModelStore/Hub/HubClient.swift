import Foundation
import Steno

/// Sends requests to the hub: adds the token where that is allowed, and follows redirects.
package struct HubClient: Sendable {
    package let settings: HubSettings
    private let transport: any HTTPTransport

    /// The maximum number of redirects.
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

    func receive(_ data: Data) throws {
        if location == nil { try receiver.receive(data) }
    }
}
