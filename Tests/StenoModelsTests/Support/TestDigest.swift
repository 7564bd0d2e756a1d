import Crypto
import Foundation

/// The hashes that the hub publishes, by another way than the code under test has.
enum TestDigest {
    static func sha256(_ data: Data) -> String { hex(SHA256.hash(data: data)) }
    static func git(_ data: Data) -> String { hex(Insecure.SHA1.hash(data: Data("blob \(data.count)\0".utf8) + data)) }

    private static func hex(_ digest: some Sequence<UInt8>) -> String {
        digest.map { String(format: "%02x", $0) }.joined()
    }
}
