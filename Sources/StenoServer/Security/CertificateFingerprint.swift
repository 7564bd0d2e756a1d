#if Server
    import Crypto
    package import Foundation
    import NIOSSL
    import Steno
    import StenoCore

    /// The fingerprint of a certificate, to compare with the one a browser shows.
    package enum CertificateFingerprint {
        /// The SHA-256 of the first certificate of a PEM file, in pairs of hexadecimal digits.
        ///
        /// - Throws: `StenoError.invalidOption` when the file has none.
        package static func of(_ file: URL) throws -> String {
            do {
                guard let certificate = try NIOSSLCertificate.fromPEMFile(file.path).first else { throw Missing() }
                return SHA256.hash(data: try certificate.toDERBytes())
                    .map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
            } catch {
                throw StenoError(
                    .invalidOption, "“\(file.relativePath)” is not a certificate in PEM format. Check --tls-cert.",
                    underlying: error)
            }
        }

        private struct Missing: Error {}
    }
#endif
