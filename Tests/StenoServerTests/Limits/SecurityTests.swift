#if Server
    import NIOCore
    import Testing

    @testable import StenoServer

    @Suite("Hosts and keys")
    struct SecurityTests {
        @Test(arguments: [
            ("Example.COM:8080", "example.com", false), ("127.0.0.1", "127.0.0.1", true), ("[::1]:80", "::1", true),
            ("localhost:", "localhost", false), ("1.2.3", "1.2.3", false),
        ])
        func theNameInHostIsReadWithoutItsPort(_ text: String, _ name: String, _ isAddress: Bool) {
            let host = HostName(authority: text)
            #expect(host?.name == name)
            #expect(host?.isAddress == isAddress)
        }

        @Test(arguments: ["", ":80", "a b", "a:b", "a:99999", "[::1", "[nothing]", "a/b", "a@b", "ä.example", "[::1]x"])
        func invalidHostsAreRefused(_ text: String) { #expect(HostName(authority: text) == nil) }

        @Test func aKeyMatchesOnlyItself() {
            let keys = APIKeys(["one", "two"])
            #expect(keys.contains("one") && keys.contains("two"))
            for other in ["", "on", "onee", "One", "onetwo"] { #expect(!keys.contains(other)) }
            #expect(!APIKeys([]).contains(""))
        }
    }

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
