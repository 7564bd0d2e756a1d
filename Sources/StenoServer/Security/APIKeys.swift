#if Server
    import Crypto
    import Foundation

    /// The keys of which a client must send one, compared in constant time.
    ///
    /// Keys and candidates are hashed first, so that the time says nothing about the length either, and every key is
    /// compared, whichever matches.
    struct APIKeys: Sendable {
        private let digests: [[UInt8]]

        init(_ keys: [String]) { digests = keys.map(Self.digest) }

        var isEmpty: Bool { digests.isEmpty }

        /// Whether a candidate is one of the keys.
        func contains(_ candidate: String) -> Bool {
            let digest = Self.digest(candidate)
            var found: UInt8 = 0
            for key in digests {
                var difference: UInt8 = 0
                for (left, right) in zip(key, digest) { difference |= left ^ right }
                // 1 where the difference is 0, without a branch.
                found |= UInt8((UInt16(difference) &- 1) >> 15)
            }
            return found != 0
        }

        private static func digest(_ key: String) -> [UInt8] { Array(SHA256.hash(data: Data(key.utf8))) }
    }
#endif
