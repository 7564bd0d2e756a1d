#if Server
    import Foundation
    package import HTTPTypes

    /// A request to become a WebSocket connection.
    package struct WebSocketRequest: Sendable {
        /// The head: method, path with its query, headers.
        package let head: HTTPRequest

        /// The address of a client on another machine.
        package let address: String?

        package init(head: HTTPRequest, address: String? = nil) { (self.head, self.address) = (head, address) }

        /// The path without the query.
        package var path: String { String((head.path ?? "/").prefix { $0 != "?" }) }

        /// The values of the query by name; the last one counts.
        package var query: [String: String] {
            let items = URLComponents(string: head.path ?? "")?.queryItems ?? []
            return Dictionary(items.map { ($0.name, $0.value ?? "") }) { _, last in last }
        }

        /// The subprotocols that the client offers, in its order.
        package var subprotocols: [String] {
            head.subprotocols
        }

        /// The subprotocol to agree on; one that carries a key is never repeated to the client.
        package func agreed(on supported: [String]) -> String? { subprotocols.first { supported.contains($0) } }
    }

    /// What becomes of a request for a WebSocket connection.
    package enum WebSocketDecision: Sendable {
        /// The connection is upgraded, with a subprotocol if one was agreed on; the closure runs it to its end.
        ///
        /// If the client disconnects first, the closure is released without being called.
        case accept(
            subprotocol: String?, client: WebSocketClient = .admitted,
            run: @Sendable (WebSocketConnection) async -> Void)
        /// It is not, and the client gets a response of the ordinary kind, such as 401.
        case refuse(WebSocketRefusal)
        /// Nothing is known of WebSockets under this path: the router answers.
        case pass
    }

    /// Information about a client when its connection is upgraded.
    package enum WebSocketClient: Sendable {
        /// It has a place.
        case admitted
        /// It asks for a place with its first message, which must be short, because anyone who connects may send one.
        case asking
        /// It has not shown a key: its messages must be short, and its connection makes room for those of others.
        case guest
    }

    /// The response to a request that is not upgraded.
    package struct WebSocketRefusal: Sendable {
        package let status: HTTPResponse.Status
        package let headers: HTTPFields
        /// The body, JSON.
        package let body: String

        package init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: String) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }
#endif
