import Foundation

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

/// The identity of a file's content, as the hub publishes it.
package enum Digest: Sendable, Hashable, Codable, CustomStringConvertible {
    /// SHA-256 of the content: the hub's identity of large files (Git LFS).
    case sha256(String)
    /// SHA-1 of `blob SIZE\0` and the content: Git's identity of small files.
    case gitBlob(String)

    /// Reads a digest from the hub's `ETag`, by its length; nil if it is not a hash.
    package init?(eTag: String) {
        var text = eTag.hasPrefix("W/") ? String(eTag.dropFirst(2)) : eTag
        text = text.trimmingCharacters(in: CharacterSet(charactersIn: "\"")).lowercased()
        guard text.allSatisfy(\.isHexDigit) else { return nil }
        switch text.count {
        case 64: self = .sha256(text)
        case 40: self = .gitBlob(text)
        default: return nil
        }
    }

    /// The identity as text: `sha256-…` or `git-…`; also the name of the file in the store.
    package var description: String {
        switch self {
        case .sha256(let hash): "sha256-" + hash
        case .gitBlob(let hash): "git-" + hash
        }
    }

    package init?(_ description: String) {
        let parts = description.split(separator: "-", maxSplits: 1).map(String.init)
        guard parts.count == 2, let digest = Digest(eTag: parts[1]), digest.description == description else {
            return nil
        }
        self = digest
    }

    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let digest = Digest(text) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "\(text) is not a digest"))
        }
        self = digest
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

/// Hashes a file while it is written or read.
package struct ContentHasher: Sendable {
    private var sha256 = StreamingHash(.sha256)
    private var gitBlob: StreamingHash?

    /// - Parameter size: The size of the whole file, which is part of Git's hash; nil skips that hash.
    package init(size: Int?) {
        guard let size else { return }
        var hash = StreamingHash(.sha1)
        Array("blob \(size)\0".utf8).withUnsafeBytes { hash.update($0) }
        gitBlob = hash
    }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        sha256.update(bytes)
        gitBlob?.update(bytes)
    }

    package var sha256Digits: String { sha256.digits }

    package func matches(_ digest: Digest) -> Bool {
        switch digest {
        case .sha256(let hash): sha256Digits == hash
        case .gitBlob(let hash): gitBlob?.digits == hash
        }
    }
}
