#if Server
    import Foundation
    import Steno

    /// What `steno captions --lan` keeps between its runs: a key and a certificate.
    ///
    /// So pages continue after the server was started again. Only its owner can read them.
    struct CaptionsState {
        let folder: URL

        /// The user's own: `$XDG_STATE_HOME/steno/captions`, or else `~/.local/state/steno/captions` (`Library/Application
        /// Support/Steno/Captions` on Apple systems).
        static func standard(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> CaptionsState {
            #if canImport(Darwin)
                let base = URL.applicationSupportDirectory.appendingPathComponent("Steno/Captions")
            #else
                let base = (environment.path("XDG_STATE_HOME") ?? URL.homeDirectory.appending(path: ".local/state"))
                    .appendingPathComponent("steno/captions")
            #endif
            return CaptionsState(folder: base)
        }

        private var keyFile: URL { folder.appendingPathComponent("key") }
        /// The certificate of this machine, in PEM format.
        var certificateFile: URL { folder.appendingPathComponent("certificate.pem") }
        /// Its private key.
        var privateKeyFile: URL { folder.appendingPathComponent("private-key.pem") }

        // MARK: Key

        /// The key that the address of the page carries; made at the first call.
        ///
        /// - Throws: `StenoError.outputFailed`.
        func key() throws -> String {
            if let known = try? String(contentsOf: keyFile, encoding: .utf8).trimmingCharacters(in: .newlines),
                known.count >= 22, known.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
            {
                return known
            }
            try makeFolder()
            let key = Self.newKey()
            unlink(keyFile.path)
            let number = retrying { open(keyFile.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
            guard number >= 0 else { throw failure("open") }
            let descriptor = OwnedDescriptor(number)
            defer { descriptor.close() }
            do { try descriptor.write(key + "\n") } catch { throw failure("write") }
            return key
        }

        /// 22 letters and digits: 131 bits.
        static func newKey() -> String {
            let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
            return String((0..<22).compactMap { _ in letters.randomElement() })
        }

        // MARK: Certificate

        /// A certificate may be used for so many days; what iOS accepts is 825.
        private static let days = 397

        /// Makes a certificate for names and addresses of this machine, unless there is one that is still good.
        ///
        /// - Throws: `StenoError.outputFailed` when openssl is missing or fails.
        func makeCertificate(for names: [String], addresses: [String], searchPath: String?) async throws {
            guard !hasCertificate() else { return }
            try makeFolder()
            guard let openssl = Self.find("openssl", in: searchPath) else {
                throw StenoError(
                    .outputFailed,
                    "A certificate is made by the program openssl, which is not on the PATH. Install it, or name a "
                        + "certificate with --tls-cert and --tls-key.")
            }
            let arguments = arguments(names, addresses)
            let status = try await Worker.run("steno.openssl", stack: .shallow) { _ in
                try Self.run(openssl, arguments)
            }
            guard status == 0 else {
                throw StenoError(
                    .outputFailed, "openssl could not make a certificate in \(folder.path): it ended with \(status).")
            }
            for file in [certificateFile, privateKeyFile] { chmod(file.path, 0o600) }
        }

        /// Whether there is a certificate that lasts for another month.
        private func hasCertificate() -> Bool {
            let files = FileManager.default
            guard files.isReadableFile(atPath: privateKeyFile.path),
                let made = try? files.attributesOfItem(atPath: certificateFile.path)[.modificationDate] as? Date
            else { return false }
            return Date().timeIntervalSince(made) < Double(Self.days - 30) * 86_400
        }

        private func arguments(_ names: [String], _ addresses: [String]) -> [String] {
            let alternatives = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
            return [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-sha256",
                "-days", "\(Self.days)", "-subj", "/CN=Steno captions",
                "-addext", "subjectAltName=\(alternatives.joined(separator: ","))",
                "-addext", "extendedKeyUsage=serverAuth", "-keyout", privateKeyFile.path, "-out", certificateFile.path,
            ]
        }

        private static func find(_ program: String, in searchPath: String?) -> URL? {
            (searchPath ?? "").split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(program)") }
                .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        }

        private static func run(_ program: URL, _ arguments: [String]) throws -> Int32 {
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }

        // MARK: Folder

        private func makeFolder() throws {
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw StenoError(.outputFailed, "The folder \(folder.path) cannot be made.", underlying: error)
            }
        }

        private func failure(_ call: String) -> StenoError {
            StenoError(.outputFailed, "\(keyFile.path) cannot be written: \(SystemCallError(call: call))")
        }
    }
#endif
