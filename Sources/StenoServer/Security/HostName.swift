#if Server
    import Foundation

    /// The host in the header `Host`, in small letters and without the port.
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

        /// Whether the rest after the name is nothing, or a colon and a port.
        private static func isPort(_ rest: Substring) -> Bool {
            if rest.isEmpty { return true }
            guard rest.first == ":" else { return false }
            let digits = rest.dropFirst()
            return digits.isEmpty
                || digits.count <= 5 && UInt16(digits) != nil && digits.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
        }
    }
#endif
