import Foundation

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

    /// Reads a ``description``.
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

    /// Begins with no bytes.
    ///
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

    /// SHA-256 of the bytes so far, in hexadecimal digits.
    package var sha256Digits: String { sha256.digits }

    /// Whether the bytes have a digest.
    package func matches(_ digest: Digest) -> Bool {
        switch digest {
        case .sha256(let hash): sha256Digits == hash
        case .gitBlob(let hash): gitBlob?.digits == hash
        }
    }
}
