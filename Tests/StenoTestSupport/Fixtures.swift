import CStenoKernels
package import Foundation

/// The test fixtures, located relative to this source file, independent of the working directory.
package enum Fixtures {
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    package static let folder = root.appendingPathComponent("Tests/Fixtures")

    /// The nano test model (float16, CTranslate2 format): 8 M parameters, six languages, synthetic voices only.
    package static let nano = folder.appendingPathComponent("nano")

    /// A sample that comes with StenoBundledModel.
    package static func bundledSample(_ name: String) -> URL {
        root.appendingPathComponent("Sources/StenoBundledModel/Resources/samples/" + name)
    }

    package static func file(_ path: String) -> URL { folder.appendingPathComponent(path) }
}

/// The committed help texts, one file per command, so that changes are seen in review.
package enum HelpSnapshot {
    /// The committed help of a command.
    ///
    /// - Parameter help: Replaces the committed text if `STENO_UPDATE_SNAPSHOTS` is 1.
    package static func committed(_ name: String, replacing help: String) throws -> String {
        let file = Fixtures.file("help/\(name).txt")
        if ProcessInfo.processInfo.environment["STENO_UPDATE_SNAPSHOTS"] == "1" {
            try Data((help + "\n").utf8).write(to: file)
        }
        return String(try String(contentsOf: file, encoding: .utf8).dropLast())
    }
}

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
