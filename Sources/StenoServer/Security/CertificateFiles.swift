#if Server
    package import Foundation
    import NIOSSL

    /// A certificate and its private key, as files in PEM format.
    package enum CertificateFiles {
        /// Whether both can be read, belong together, and are valid at a time.
        package static func areUsable(certificate: URL, privateKey: URL, at time: Date) -> Bool {
            var configuration = SpeechServer.Configuration()
            (configuration.certificateFile, configuration.privateKeyFile) = (certificate, privateKey)
            guard let tls = try? ServerCertificate(configuration)?.configuration,
                (try? NIOSSLContext(configuration: tls)) != nil,
                let first = try? NIOSSLCertificate.fromPEMFile(certificate.path).first
            else { return false }
            let now = time.timeIntervalSince1970
            return Double(first.notValidBefore) <= now && now < Double(first.notValidAfter)
        }
    }
#endif
