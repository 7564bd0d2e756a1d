#if canImport(CryptoKit)
    import CryptoKit
#else
    import CStenoKernels
#endif

/// A hash of bytes that arrive in pieces (FIPS 180-4): CryptoKit's on Apple systems, the package's own C elsewhere.
///
/// BoringSSL would do as well, but compiling it takes longer than compiling the rest of the package.
struct StreamingHash: Sendable {
    enum Algorithm: Sendable {
        case sha1, sha256
    }

    #if canImport(CryptoKit)
        private var sha1: Insecure.SHA1?
        private var sha256: SHA256?

        /// Begins with no bytes.
        init(_ algorithm: Algorithm) {
            switch algorithm {
            case .sha1: sha1 = Insecure.SHA1()
            case .sha256: sha256 = SHA256()
            }
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            sha1?.update(bufferPointer: bytes)
            sha256?.update(bufferPointer: bytes)
        }

        /// The hash of the bytes so far, in hexadecimal digits.
        var digits: String {
            if let sha1 {
                Self.hexadecimal(sha1.finalize())
            } else if let sha256 {
                Self.hexadecimal(sha256.finalize())
            } else {
                ""
            }
        }
    #else
        private let algorithm: Algorithm
        private var state = steno_hash()

        /// Begins with no bytes.
        init(_ algorithm: Algorithm) {
            self.algorithm = algorithm
            switch algorithm {
            case .sha1: steno_sha1_start(&state)
            case .sha256: steno_sha256_start(&state)
            }
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            guard let start = bytes.baseAddress else { return }
            switch algorithm {
            case .sha1: steno_sha1_add(&state, start, bytes.count)
            case .sha256: steno_sha256_add(&state, start, bytes.count)
            }
        }

        /// The hash of the bytes so far, in hexadecimal digits.
        var digits: String {
            // Finishing changes the state, and more bytes may follow.
            var state = state
            switch algorithm {
            case .sha1:
                var digest = [UInt8](repeating: 0, count: 20)
                steno_sha1_finish(&state, &digest)
                return Self.hexadecimal(digest)
            case .sha256:
                var digest = [UInt8](repeating: 0, count: 32)
                steno_sha256_finish(&state, &digest)
                return Self.hexadecimal(digest)
            }
        }
    #endif

    private static func hexadecimal(_ digest: some Sequence<UInt8>) -> String {
        digest.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
}
