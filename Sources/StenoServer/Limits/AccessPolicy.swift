#if Server
    import Crypto
    import Foundation
    package import HTTPTypes

    /// Decides who may call the server, before anything else in a request is handled, including a WebSocket upgrade.
    ///
    /// - `Host` must name the server itself. With DNS rebinding, a page of another site sends the site's name.
    /// - `Origin`, which only browsers send, must be the server's own or an allowed one. Without it, `Sec-Fetch-Site`
    ///   must not indicate another site, whose page could measure response times.
    /// - A key must be sent, if any are configured.
    @available(macOS 14, iOS 17, *)
    package struct AccessPolicy: Sendable {
        private let hosts: Set<String>
        /// Whether `Host` may be any address, because the server listens on all interfaces.
        private let allowsAddresses: Bool
        private let origins: Set<String>
        private let keys: APIKeys

        /// - Parameter host: The address that the server listens on.
        package init(host: String, allowedHosts: [String], allowedOrigins: [String], keys: [String]) {
            let own = host.lowercased()
            hosts = Set(["localhost", "127.0.0.1", "::1", own] + allowedHosts.map { $0.lowercased() })
            allowsAddresses = ["0.0.0.0", "::", ""].contains(own)
            origins = Set(allowedOrigins.map { $0.lowercased() })
            self.keys = APIKeys(keys)
        }

        package var needsKeys: Bool { !keys.isEmpty }

        /// Throws unless the sender of a request may call the server.
        ///
        /// - Parameter needsKey: False for requests that need no key, such as CORS preflights.
        /// - Throws: ``ServerError`` with the status 401, 403 or 421.
        package func check(_ request: HTTPRequest, needsKey: Bool = true) throws(ServerError) {
            try checkHost(request)
            try checkOrigin(request)
            if needsKey, needsKeys, !keys.contains(Self.key(of: request)) { throw .unauthorized }
        }

        /// The origin to name in `Access-Control-Allow-Origin`, if the request comes from an allowed one.
        package func allowedOrigin(of request: HTTPRequest) -> String? {
            request.headerFields[.origin].flatMap { origins.contains($0.lowercased()) ? $0 : nil }
        }

        private func checkHost(_ request: HTTPRequest) throws(ServerError) {
            // The first `Host` becomes the authority; others stay among the fields, and a proxy may have used one of
            // those.
            let isAlone = HTTPField.Name.hostField.map { request.headerFields[values: $0].isEmpty } ?? true
            guard isAlone, let host = HostName(authority: request.authority ?? "") else {
                throw .invalid("The header Host is missing, malformed or there twice.", code: "invalid_host")
            }
            if hosts.contains(host.name) || allowsAddresses && host.isAddress { return }
            throw .invalid(
                "This server does not answer for “\(host.name.prefix(100))”. Start it with --allow-host to allow the name.",
                code: "host_not_allowed", status: 421)
        }

        private func checkOrigin(_ request: HTTPRequest) throws(ServerError) {
            guard let origin = request.headerFields[.origin]?.lowercased() else { return try checkSite(request) }
            if origins.contains(origin) { return }
            // The server's own pages: the same host and port as in `Host`.
            let authority = (request.authority ?? "").lowercased()
            if origin == "http://\(authority)" || origin == "https://\(authority)" { return }
            throw .invalid(
                "Pages of this origin may not call the server. Start it with --allow-origin to allow it.",
                code: "origin_not_allowed", status: 403)
        }

        private func checkSite(_ request: HTTPRequest) throws(ServerError) {
            // Any site may link to the captions page and to other paths without personal data.
            guard (request.path ?? "").split(whereSeparator: { "/?".contains($0) }).first == "v1",
                let site = HTTPField.Name.secFetchSite.flatMap({ request.headerFields[$0] }),
                !["same-origin", "none"].contains(site)
            else { return }
            throw .invalid(
                "Pages of other sites may not ask for this. Start the server with --allow-origin, and use CORS.",
                code: "origin_not_allowed", status: 403)
        }

        /// The key in a request: a bearer token, or the WebSocket subprotocol `openai-insecure-api-key.KEY` from
        /// browsers, which cannot set headers; empty if there is none.
        static func key(of request: HTTPRequest) -> String {
            if let authorization = request.headerFields[.authorization] {
                let parts = authorization.split(separator: " ", maxSplits: 1)
                if parts.count == 2, parts[0].lowercased() == "bearer" { return String(parts[1]) }
            }
            let prefix = "openai-insecure-api-key."
            return request.subprotocols.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) } ?? ""
        }
    }

    /// The host in the `Host` header, in lower case and without the port.
    struct HostName: Hashable {
        let name: String
        /// Whether it is an IPv4 or IPv6 address, which no name server can point elsewhere.
        let isAddress: Bool

        /// Reads `name`, `name:port`, `1.2.3.4:port` and `[::1]:port`; nil for anything else.
        init?(authority: String) {
            let text = authority.lowercased()
            if text.hasPrefix("[") {
                guard let end = text.firstIndex(of: "]"), Self.isPort(text[text.index(after: end)...]) else {
                    return nil
                }
                name = String(text[text.index(after: text.startIndex)..<end])
                var address = in6_addr()
                guard inet_pton(AF_INET6, name, &address) == 1 else { return nil }
                isAddress = true
            } else {
                let end = text.firstIndex(of: ":") ?? text.endIndex
                guard Self.isPort(text[end...]) else { return nil }
                name = String(text[..<end])
                let isName = name.utf8.allSatisfy {
                    (97...122).contains($0) || (48...57).contains($0) || [45, 46, 95].contains($0)
                }
                guard isName, !name.isEmpty, name.utf8.count <= 253 else { return nil }
                var address = in_addr()
                isAddress = inet_pton(AF_INET, name, &address) == 1
            }
        }

        /// Whether what follows the name is empty, or a colon and a port.
        private static func isPort(_ rest: Substring) -> Bool {
            if rest.isEmpty { return true }
            guard rest.first == ":" else { return false }
            let digits = rest.dropFirst()
            return digits.isEmpty
                || digits.count <= 5 && UInt16(digits) != nil && digits.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
        }
    }

    /// The API keys, compared in constant time.
    ///
    /// Keys and candidates are hashed first, so that timing does not reveal their length. The `==` of digests takes
    /// constant time, and every key is compared, even after a match.
    struct APIKeys: Sendable, CustomStringConvertible {
        private let digests: [SHA256Digest]

        init(_ keys: [String]) { digests = keys.map(Self.digest) }

        var isEmpty: Bool { digests.isEmpty }
        /// Only their number: the digest of a weak key would reveal it.
        var description: String { "\(digests.count) keys" }

        func contains(_ candidate: String) -> Bool {
            let digest = Self.digest(candidate)
            var found = false
            for key in digests where key == digest { found = true }
            return found
        }

        private static func digest(_ key: String) -> SHA256Digest { SHA256.hash(data: Data(key.utf8)) }
    }
#endif
