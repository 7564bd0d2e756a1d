#if Server
    import Foundation
    import NIOCore
    import NIOSSL
    import Steno
    import StenoCore

    /// The certificate and the private key of a server with TLS.
    struct ServerCertificate {
        let configuration: TLSConfiguration

        /// Reads the files of a configuration; nil where it has none.
        ///
        /// - Throws: `StenoError.invalidOption` that names the file.
        init?(_ configuration: SpeechServer.Configuration) throws {
            guard let certificate = configuration.certificateFile, let key = configuration.privateKeyFile else {
                guard configuration.certificateFile == nil, configuration.privateKeyFile == nil else {
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
            do {
                return try read(file.path)
            } catch {
                throw StenoError(
                    .invalidOption, "“\(file.relativePath)” is not a PEM file. Check --tls-cert and --tls-key.",
                    underlying: error)
            }
        }
    }
#endif
