import Foundation

@testable import StenoModelStore

/// The hashes that the hub publishes for a file.
enum TestDigest {
    static func sha256(_ data: Data) -> String { hash(.sha256, data) }
    static func git(_ data: Data) -> String { hash(.sha1, Data("blob \(data.count)\0".utf8) + data) }

    private static func hash(_ algorithm: StreamingHash.Algorithm, _ data: Data) -> String {
        var hash = StreamingHash(algorithm)
        data.withUnsafeBytes { hash.update($0) }
        return hash.digits
    }
}
