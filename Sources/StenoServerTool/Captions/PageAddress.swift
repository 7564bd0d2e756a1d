#if Server
    import Foundation
    import StenoServer

    /// The addresses of the page, with the key in the fragment, which browsers never send.
    @available(macOS 14, *)
    enum PageAddress {
        static func hosts(_ configuration: SpeechServer.Configuration) -> [String] {
            guard ["0.0.0.0", "::"].contains(configuration.host) else { return [configuration.host] }
            let found = LocalAddresses.all()
            return found.isEmpty ? ["localhost"] : found
        }

        /// The hosts whose addresses are printed: first the names in the user's own certificate.
        static func printed(_ configuration: SpeechServer.Configuration, named names: [String]) -> [String] {
            names + hosts(configuration).filter { !names.contains($0) }
        }

        /// The names a certificate must be valid for: these hosts, and this machine's own names.
        static func certified(_ hosts: [String]) -> [String] {
            var all: [String] = []
            for host in hosts + ["localhost", "127.0.0.1"] + LocalAddresses.names() where !all.contains(host) {
                all.append(host)
            }
            return all
        }

        static func all(_ url: String, port: Int, hosts: [String], key: String?) -> [String] {
            let scheme = url.hasPrefix("https") ? "https" : "http"
            return hosts.map { host in
                let name = host.contains(":") ? "[\(host)]" : host
                return "\(scheme)://\(name):\(port)/" + (key.map { "#key=\($0)" } ?? "")
            }
        }
    }

    /// The addresses by which other machines on the local network reach this one.
    enum LocalAddresses {
        /// The IPv4 addresses, without those of containers and virtual machines.
        static func all() -> [String] {
            var first: UnsafeMutablePointer<ifaddrs>?
            guard getifaddrs(&first) == 0 else { return [] }
            defer { freeifaddrs(first) }
            var found: [String] = []
            var next = first
            while let entry = next?.pointee {
                next = entry.ifa_next
                guard let address = entry.ifa_addr, Int32(address.pointee.sa_family) == AF_INET,
                    entry.ifa_flags & UInt32(IFF_UP) != 0, entry.ifa_flags & UInt32(IFF_LOOPBACK) == 0,
                    !isVirtual(String(cString: entry.ifa_name))
                else { continue }
                if let text = text(of: address), !found.contains(text) { found.append(text) }
            }
            return found
        }

        /// The names that this machine has on the local network.
        static func names() -> [String] {
            let name = ProcessInfo.processInfo.hostName.lowercased()
            let short = name.split(separator: ".").first.map(String.init) ?? name
            let isName = short.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 45 }
            guard isName, !short.isEmpty, short != "localhost" else { return [] }
            return [short, short + ".local"]
        }

        private static func isVirtual(_ name: String) -> Bool {
            ["docker", "br-", "veth", "virbr", "vmnet", "bridge", "utun"].contains { name.hasPrefix($0) }
        }

        private static func text(of address: UnsafeMutablePointer<sockaddr>) -> String? {
            var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let status = getnameinfo(
                address, socklen_t(MemoryLayout<sockaddr_in>.size), &buffer, socklen_t(buffer.count), nil, 0,
                NI_NUMERICHOST)
            return status == 0
                ? String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
        }
    }
#endif
