package import Foundation

/// A request without a body.
package struct HTTPRequest: Sendable, Hashable {
    package var url: URL
    /// `GET` or `HEAD`.
    package var method = "GET"
    package var headers: [String: String] = [:]

    package init(_ url: URL, method: String = "GET", headers: [String: String] = [:]) {
        self.url = url
        self.method = method
        self.headers = headers
    }
}

package struct HTTPHead: Sendable {
    package let status: Int
    private let headers: [String: String]

    /// Creates a head; header names are case-insensitive.
    package init(status: Int, headers: [String: String]) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
    }

    package subscript(name: String) -> String? { headers[name.lowercased()] }

    /// The size of a file in a header; nil if there is none.
    ///
    /// - Throws: `downloadFailed` for an impossible size.
    func size(_ name: String) throws -> Int? {
        guard let text = self[name], let size = Int(text.trimmingCharacters(in: .whitespaces)) else { return nil }
        return try FileSize.checked(size)
    }
}

/// Receives a response, in order, on any thread; an error that it throws ends the transfer.
package protocol HTTPReceiver: Sendable {
    func receive(_ head: HTTPHead) throws
    func receive(_ data: Data) throws
}

package protocol HTTPTransport: Sendable {
    /// Sends a request and passes the response to a receiver; returns when all of it has arrived. Redirects are not
    /// followed.
    ///
    /// - Throws: The receiver's errors; ``TransportFailure``; `CancellationError` soon after the task is cancelled.
    func send(_ request: HTTPRequest, to receiver: any HTTPReceiver) async throws
}

/// A transfer that failed before the response was complete.
///
/// It does not include the address: those of the hub's storage have signatures in their query.
package struct TransportFailure: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether it may succeed on another attempt.
    package let isTransient: Bool

    package init(_ description: String, isTransient: Bool) {
        self.description = description
        self.isTransient = isTransient
    }
}
