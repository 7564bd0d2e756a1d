#if Server
    import NIOCore
    import Testing

    @testable import StenoServer

    /// Which connections count as those of one client.
    struct ForeignHostTests {
        @Test(arguments: [
            ("192.0.2.7", "192.0.2.7"), ("::ffff:192.0.2.7", "192.0.2.7"), ("fe80::1:2", "fe80::1:2"),
            ("2001:db8:1:20:aa::1", "2001:db8:1:20::/64"), ("2001:db8:1:20::ffff:2", "2001:db8:1:20::/64"),
            ("2001:db8:1:21::2", "2001:db8:1:21::/64"), ("::2", "0:0:0:0::/64"),
        ])
        func anotherMachineIsAnAddressOrANetwork(address: String, client: String) throws {
            #expect(try SocketAddress(ipAddress: address, port: 1).foreignHost == client)
        }

        @Test(arguments: ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"])
        func thisMachineHasNoLimit(address: String) throws {
            #expect(try SocketAddress(ipAddress: address, port: 1).foreignHost == nil)
        }
    }
#endif
