#if Server
    import Testing

    @testable import StenoServer

    @Suite("Hosts and keys")
    struct SecurityTests {
        @Test(
            "The name in Host is read without its port",
            arguments: [
                ("Example.COM:8080", "example.com", false), ("127.0.0.1", "127.0.0.1", true), ("[::1]:80", "::1", true),
                ("localhost:", "localhost", false), ("1.2.3", "1.2.3", false),
            ])
        func host(_ text: String, _ name: String, _ isAddress: Bool) {
            let host = HostName(authority: text)
            #expect(host?.name == name)
            #expect(host?.isAddress == isAddress)
        }

        @Test(
            "Invalid hosts are refused",
            arguments: ["", ":80", "a b", "a:b", "a:99999", "[::1", "[nothing]", "a/b", "a@b", "ä.example", "[::1]x"])
        func malformed(_ text: String) { #expect(HostName(authority: text) == nil) }

        @Test("A key matches only itself")
        func keys() {
            let keys = APIKeys(["one", "two"])
            #expect(keys.contains("one") && keys.contains("two"))
            for other in ["", "on", "onee", "One", "onetwo"] { #expect(!keys.contains(other)) }
            #expect(!APIKeys([]).contains(""))
        }
    }
#endif
