#if Server
    import Foundation

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
