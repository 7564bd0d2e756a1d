#if Server
    import Foundation
    package import HTTPTypes
    package import NIOCore

    package struct WebSocketRequest: Sendable {
        /// The head: method, path with its query, headers.
        package let head: HTTPRequest

        /// The address of a client on another machine.
        package let address: String?

        package init(head: HTTPRequest, address: String? = nil) { (self.head, self.address) = (head, address) }

        package var path: String { String((head.path ?? "/").prefix { $0 != "?" }) }

        /// The values of the query by name; the last one counts.
        package var query: [String: String] {
            let items = URLComponents(string: head.path ?? "")?.queryItems ?? []
            return Dictionary(items.map { ($0.name, $0.value ?? "") }) { _, last in last }
        }

        /// The subprotocol to agree on; one that carries a key is never repeated to the client.
        package func agreed(on supported: [String]) -> String? { head.subprotocols.first { supported.contains($0) } }
    }

    /// What to do with a request for a WebSocket connection.
    package enum WebSocketDecision: Sendable {
        /// The connection is upgraded, with a subprotocol if one was agreed on; the closure runs it to its end.
        ///
        /// If the client disconnects first, the closure is released without being called.
        case accept(
            subprotocol: String?, client: WebSocketClient = .admitted,
            run: @Sendable (WebSocketConnection) async -> Void)
        /// The client gets an ordinary response, such as 401.
        case refuse(WebSocketRefusal)
        /// The path has no WebSocket, so the router answers.
        case pass
    }

    /// Information about a client when its connection is upgraded.
    package enum WebSocketClient: Sendable {
        case admitted
        /// It asks for a place with its first message, which must be short, because anyone who connects may send one.
        case asking
        /// It has not shown a key: its messages must be short, and its connection is closed to make room for others.
        case guest
    }

    /// The response to a request that is not upgraded.
    package struct WebSocketRefusal: Sendable {
        package let status: HTTPResponse.Status
        package let headers: HTTPFields
        /// The body, as JSON.
        package let body: String

        package init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: String) {
            (self.status, self.headers, self.body) = (status, headers, body)
        }
    }

    package struct WebSocketLimits: Sendable, Hashable {
        /// The maximum size of a message with all its fragments, in bytes: the most audio in one event
        /// (``RealtimeProtocol/largestAppend``) is 20 MiB of base64, plus some JSON.
        package var messageBytes = 21 << 20
        /// The maximum size of the first message of a client without a place, in bytes.
        package var askingMessageBytes = 64 << 10
        /// The maximum size of a message of a client that has shown no key, in bytes: ten times what `watch` takes.
        package var guestMessageBytes = 1 << 10
        package var fragments = 4096
        /// The most bytes that may be queued for a client that does not read; beyond that, the connection ends.
        package var waitingBytes = 8 << 20
        /// The time after which a silent client is sent a ping.
        package var idle = TimeAmount.seconds(30)
        /// The time a client has to answer a ping, to read what is queued, and to answer a close frame.
        package var patience = TimeAmount.seconds(20)
        package var longest = TimeAmount.hours(24)

        package init() {}

        func messageBytes(of client: WebSocketClient) -> Int { client == .guest ? guestMessageBytes : messageBytes }

        func firstMessageBytes(of client: WebSocketClient) -> Int {
            client == .asking ? askingMessageBytes : messageBytes(of: client)
        }
    }
#endif
