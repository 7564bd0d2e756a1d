#if Server
    import Foundation
    import Steno
    import StenoCommandLine
    import StenoServer

    /// The certificate that `steno captions --lan` makes for itself, with its key; only their owner can read them.
    ///
    /// The names that it is valid for are in a line before it, which readers of PEM skip.
    struct CaptionsCertificate {
        /// The certificate, in PEM format.
        let file: URL
        let privateKeyFile: URL

        /// The validity of a certificate in days; iOS accepts at most 825.
        private static let days = 397
        /// A certificate that expires within this many seconds is renewed.
        private static let reserve = 30.0 * 86_400
        /// The number of names kept from earlier networks, so that a machine that moves between a few needs no new
        /// certificate.
        private static let mostEarlierNames = 24
        /// Earlier versions wrote “Names:” and made CA certificates, which are replaced.
        private static let heading = "Names of this server: "

        /// Makes a certificate for names and addresses of this machine, unless there is one for all of them that can be
        /// read, belongs to its key and is still valid for a month.
        ///
        /// - Throws: `StenoError.outputFailed` when openssl is missing or fails.
        func make(for hosts: [String], searchPath: String, now: Date = Date()) async throws {
            let wanted = hosts.map(Self.alternativeName)
            let known = names
            let isUsable = CertificateFiles.areUsable(
                certificate: file, privateKey: privateKeyFile, at: now.addingTimeInterval(Self.reserve))
            guard !isUsable || !Set(wanted).isSubset(of: known) else { return }
            guard let openssl = InstalledProgram.find("openssl", searchPath: searchPath) else {
                throw StenoError(
                    .outputFailed,
                    "The certificate needs the program openssl, which is not on the PATH. Install it, or pass your own "
                        + "certificate with --tls-cert and --tls-key.")
            }
            let earlier = known.filter { !wanted.contains($0) }.prefix(Self.mostEarlierNames)
            let all = wanted + earlier
            try await Worker.run("steno.openssl", stack: .shallow) { [self] _ in try write(all, openssl) }
        }

        private var names: [String] {
            guard let text = try? String(contentsOf: file, encoding: .utf8),
                let line = text.split(separator: "\n").first, line.hasPrefix(Self.heading)
            else { return [] }
            return line.dropFirst(Self.heading.count).split(separator: ",").map(String.init)
        }

        /// A host in openssl's notation for alternative names.
        private static func alternativeName(_ host: String) -> String {
            var (four, six) = (in_addr(), in6_addr())
            let isAddress = inet_pton(AF_INET, host, &four) == 1 || inet_pton(AF_INET6, host, &six) == 1
            return (isAddress ? "IP:" : "DNS:") + host
        }

        // MARK: Files

        /// Makes both files elsewhere, checks them and moves them into place; a crash in between leaves a key that does
        /// not match, which the next start notices.
        private func write(_ names: [String], _ openssl: URL) throws {
            let folder = file.deletingLastPathComponent().appendingPathComponent(".certificate-\(UUID().uuidString)")
            try CaptionsState.makeFolder(folder)
            defer { try? FileManager.default.removeItem(at: folder) }
            let certificate = folder.appendingPathComponent("certificate.pem")
            let key = folder.appendingPathComponent("private-key.pem")
            let status = try Self.run(openssl, arguments(names, certificate, key))
            guard status == 0,
                CertificateFiles.areUsable(certificate: certificate, privateKey: key, at: Date().addingTimeInterval(1))
            else {
                throw StenoError(
                    .outputFailed,
                    "openssl could not make a certificate (exit code \(status)). Pass your own with --tls-cert and "
                        + "--tls-key.")
            }
            let text = Self.heading + names.joined(separator: ",") + "\n" + (try Self.text(of: certificate))
            try AtomicFile.write(try Self.text(of: key), to: privateKeyFile, permissions: 0o600)
            try AtomicFile.write(text, to: file, permissions: 0o600)
        }

        private static func text(of file: URL) throws -> String {
            do { return try String(contentsOf: file, encoding: .utf8) } catch {
                throw StenoError(
                    .outputFailed,
                    "The certificate made by openssl cannot be read. Pass your own with --tls-cert and --tls-key.",
                    underlying: error)
            }
        }

        private func arguments(_ names: [String], _ certificate: URL, _ key: URL) -> [String] {
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256",
                "-days", "\(Self.days)", "-subj", "/CN=Steno captions",
                "-addext", "subjectAltName=\(names.joined(separator: ","))",
                // Not a CA. With a key usage, some clients would not accept it as self-signed.
                "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=serverAuth",
                "-keyout", key.path, "-out", certificate.path,
            ]
        }

        private static func run(_ program: URL, _ arguments: [String]) throws -> Int32 {
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            do { try process.run() } catch {
                throw StenoError(
                    .outputFailed,
                    "\(program.path) cannot be started. Pass your own certificate with --tls-cert and --tls-key.",
                    underlying: error)
            }
            process.waitUntilExit()
            return process.terminationStatus
        }
    }
#endif
