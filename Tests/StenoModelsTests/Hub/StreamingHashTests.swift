import Foundation
import StenoTestSupport
import Testing

@testable import StenoModelStore

/// The hashes of FIPS 180-4, with its own examples and with pieces of any size.
struct StreamingHashTests {
    private func hash(_ algorithm: StreamingHash.Algorithm, _ pieces: [[UInt8]]) -> String {
        var hash = StreamingHash(algorithm)
        for piece in pieces { piece.withUnsafeBytes { hash.update($0) } }
        return hash.digits
    }

    @Test func theExamplesOfTheStandard() {
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        let million = String(repeating: "a", count: 1_000_000)
        for (algorithm, text, digits) in [
            (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (.sha256, long, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
            (.sha256, million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
            (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
            (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha1, long, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
            (.sha1, million, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        ] as [(StreamingHash.Algorithm, String, String)] {
            #expect(hash(algorithm, [Array(text.utf8)]) == digits, "\(algorithm) of \(text.prefix(60))")
        }
    }

    /// Around the ends of blocks, and not only at them.
    @Test(arguments: [1, 3, 55, 56, 63, 64, 65, 119, 120, 1000])
    func piecesOfAnySizeGiveTheSameHash(size: Int) {
        var random = SplitMix64(seed: UInt64(size))
        let bytes = (0..<2000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        #expect(hash(.sha256, pieces) == hash(.sha256, [bytes]) && hash(.sha1, pieces) == hash(.sha1, [bytes]))
    }

    @Test func readingTheHashDoesNotEndIt() {
        var hash = StreamingHash(.sha256)
        Array("ab".utf8).withUnsafeBytes { hash.update($0) }
        _ = hash.digits
        Array("c".utf8).withUnsafeBytes { hash.update($0) }
        #expect(hash.digits == self.hash(.sha256, [Array("abc".utf8)]))
    }
}
