#if Server
    import Foundation
    import HTTPTypes
    import NIOCore

    /// Names of header fields that HTTPTypes lacks; all are valid, so none is nil.
    extension HTTPField.Name {
        /// Whether a page shares its browsing context with pages that it opens or that open it.
        static let crossOriginOpenerPolicy = Self("Cross-Origin-Opener-Policy")
        /// `Host` as a field, which HTTPTypes keeps as the request's authority.
        static let hostField = Self("Host")
        /// How clients announce that they speak OpenAI's beta protocol.
        static let openAIBeta = Self("OpenAI-Beta")
        /// The device features that a page may use.
        static let permissionsPolicy = Self("Permissions-Policy")
        /// The referrer information that a page sends.
        static let referrerPolicy = Self("Referrer-Policy")
        /// Identifies a request in the log.
        static let requestID = Self("X-Request-ID")
        /// Whether a browser's request comes from a page of the same site.
        static let secFetchSite = Self("Sec-Fetch-Site")
    }

    extension HTTPRequest {
        /// The subprotocols of a WebSocket that the client offers, in its order.
        var subprotocols: [String] {
            headerFields[values: .secWebSocketProtocol].flatMap { $0.split(separator: ",") }
                .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        }
    }

    extension SocketAddress {
        /// What counts as one client on another machine; nil for this machine, including a proxy on it.
        ///
        /// It is the IPv4 address, or the IPv6 /64 network, in which one machine can take any address.
        var foreignHost: String? {
            guard let text = ipAddress else { return nil }
            guard case .v6(let address) = self else { return Self.foreign(text) }
            let bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            guard bytes != Self.loopback else { return nil }
            // An IPv4 client of a server that listens on both.
            if Array(bytes[..<12]) == Self.mapped {
                let numbers = bytes[12...].map { "\($0)" }
                return Self.foreign(numbers.joined(separator: "."))
            }
            // Link-local addresses of all machines are in the same network.
            if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return text }
            let groups = (0..<4).map { number in
                let group = Int(bytes[2 * number]) * 256 + Int(bytes[2 * number + 1])
                return String(group, radix: 16)
            }
            return groups.joined(separator: ":") + "::/64"
        }

        private static let loopback = [UInt8](repeating: 0, count: 15) + [1]
        private static let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

        private static func foreign(_ text: String) -> String? { text.hasPrefix("127.") ? nil : text }
    }
#endif
