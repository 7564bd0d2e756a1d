#if Server
    import Crypto
    import Foundation

    /// The API keys, of which a client must send one; they are compared in constant time.
    ///
    /// Keys and candidates are hashed first, so that the time says nothing about the length either; digests are compared in
    /// constant time by their `==`, and every key is compared, whichever matches.
    struct APIKeys: Sendable, CustomStringConvertible {
        private let digests: [SHA256Digest]

        init(_ keys: [String]) { digests = keys.map(Self.digest) }

        var isEmpty: Bool { digests.isEmpty }
        /// Only their number: the digest of a weak key would reveal it.
        var description: String { "\(digests.count) keys" }

        /// Whether a candidate is one of the keys.
        func contains(_ candidate: String) -> Bool {
            let digest = Self.digest(candidate)
            var found = false
            for key in digests where key == digest { found = true }
            return found
        }

        private static func digest(_ key: String) -> SHA256Digest { SHA256.hash(data: Data(key.utf8)) }
    }
#endif
