#if Server
    import Crypto
    package import Foundation
    import NIOCore
    import NIOSSL
    import Steno
    import StenoCore

    struct ServerCertificate {
        let configuration: TLSConfiguration

        /// Reads both files; nil if there are none.
        ///
        /// - Throws: `StenoError.invalidOption` that names the file.
        init?(certificate: URL?, privateKey key: URL?) throws {
            guard let certificate, let key else {
                guard certificate == nil, key == nil else {
                    throw StenoError(.invalidOption, "HTTPS needs both --tls-cert and --tls-key.")
                }
                return nil
            }
            let chain = try Self.read(certificate) {
                try NIOSSLCertificate.fromPEMFile($0).map(NIOSSLCertificateSource.certificate)
            }
            let privateKey = try Self.read(key) {
                NIOSSLPrivateKeySource.privateKey(try NIOSSLPrivateKey(file: $0, format: .pem))
            }
            var tls = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: privateKey)
            tls.minimumTLSVersion = .tlsv12
            // The only protocol that the server speaks.
            tls.applicationProtocols = ["http/1.1"]
            self.configuration = tls
        }

        private static func read<Value>(_ file: URL, _ read: (String) throws -> Value) throws -> Value {
            do { return try read(file.path) } catch {
                throw StenoError(
                    .invalidOption, "“\(file.relativePath)” is not a PEM file. Check --tls-cert and --tls-key.",
                    underlying: error)
            }
        }
    }

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

    /// A certificate and its private key, as files in PEM format.
    package enum CertificateFiles {
        /// Whether both can be read, belong together, and are valid at a time.
        package static func areUsable(certificate: URL, privateKey: URL, at time: Date) -> Bool {
            guard let tls = try? ServerCertificate(certificate: certificate, privateKey: privateKey)?.configuration,
                (try? NIOSSLContext(configuration: tls)) != nil,
                let first = try? NIOSSLCertificate.fromPEMFile(certificate.path).first
            else { return false }
            let now = time.timeIntervalSince1970
            return Double(first.notValidBefore) <= now && now < Double(first.notValidAfter)
        }
    }
#endif
