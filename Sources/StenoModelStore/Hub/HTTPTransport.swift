package import Foundation

/// A request without a body.
package struct HTTPRequest: Sendable, Hashable {
    /// The address.
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

/// The beginning of an answer.
package struct HTTPHead: Sendable {
    package let status: Int
    private let headers: [String: String]

    /// Creates a head; the case of the headers' names makes no difference.
    package init(status: Int, headers: [String: String]) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.lowercased(), $1) }) { first, _ in first }
    }

    package subscript(name: String) -> String? { headers[name.lowercased()] }

    /// The size of a file in a header; nil when there is none.
    ///
    /// - Throws: `downloadFailed` for a size that no file can have.
    func size(_ name: String) throws -> Int? {
        guard let text = self[name], let size = Int(text.trimmingCharacters(in: .whitespaces)) else { return nil }
        return try FileSize.checked(size)
    }
}

/// Receives an answer, in order, on any thread; throwing an error ends the transfer with it.
package protocol HTTPReceiver: Sendable {
    /// The beginning of the answer.
    func receive(_ head: HTTPHead) throws
    /// The next part of its body.
    func receive(_ data: Data) throws
}

/// Sends requests.
package protocol HTTPTransport: Sendable {
    /// Sends a request and hands the answer to a receiver; returns when all of it has arrived. Redirects are not followed.
    ///
    /// - Throws: The receiver's errors; ``TransportFailure``; `CancellationError` soon after the task was cancelled.
    func send(_ request: HTTPRequest, to receiver: any HTTPReceiver) async throws
}

/// A transfer that failed before the answer was complete.
///
/// It keeps no address: those of the hub's storage have signatures in their query.
package struct TransportFailure: Error, Sendable, CustomStringConvertible {
    /// Why it failed, for people.
    package let description: String
    /// Whether it may succeed when it is tried again.
    package let isTransient: Bool

    package init(_ description: String, isTransient: Bool) {
        self.description = description
        self.isTransient = isTransient
    }
}
