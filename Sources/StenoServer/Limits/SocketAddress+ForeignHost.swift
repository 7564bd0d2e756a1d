#if Server
    import Foundation
    import NIOCore

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
