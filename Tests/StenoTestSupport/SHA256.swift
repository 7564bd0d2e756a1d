import CStenoKernels
package import Foundation

/// SHA-256 by which tests identify a recording or a file; `StreamingHashTests` has the standard's examples.
package struct SHA256 {
    private var state = steno_hash()

    package init() { steno_sha256_start(&state) }

    package mutating func update(_ data: Data) {
        data.withUnsafeBytes { bytes in
            if let start = bytes.baseAddress { steno_sha256_add(&state, start, bytes.count) }
        }
    }

    /// The hash of all data added, as 64 hexadecimal digits.
    package func hexDigest() -> String {
        var (copy, digest) = (state, [UInt8](repeating: 0, count: 32))
        steno_sha256_finish(&copy, &digest)
        return digest.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    /// The hash of some data, as 64 hexadecimal digits.
    package static func hexDigest(of data: Data) -> String {
        var hash = SHA256()
        hash.update(data)
        return hash.hexDigest()
    }

    /// The hash by which goldens identify a recording: the first 16 digits over the samples as little-endian floats.
    package static func fingerprint(of samples: [Float]) -> String {
        String(hexDigest(of: samples.withUnsafeBytes { Data($0) }).prefix(16))
    }
}
