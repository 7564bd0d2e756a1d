#if Server
    import Foundation
    import Steno
    import StenoServer

    /// What `steno captions --lan` keeps between its runs: a key and a certificate.
    ///
    /// With them, pages continue after the server is restarted. Only their owner can read them.
    struct CaptionsState {
        let folder: URL

        /// The user's own: `$XDG_STATE_HOME/steno/captions`, or else `~/.local/state/steno/captions` (`Library/Application
        /// Support/Steno/Captions` on Apple systems).
        static func standard(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> CaptionsState {
            CaptionsState(folder: UserFolders(environment).state.ofSteno("Captions"))
        }

        private var keyFile: URL { folder.appendingPathComponent("key") }

        var certificate: CaptionsCertificate {
            CaptionsCertificate(
                file: folder.appendingPathComponent("certificate.pem"),
                privateKeyFile: folder.appendingPathComponent("private-key.pem"))
        }

        /// The key in the address of the page, with 131 bits; created on first use, and renewed if other users can read
        /// it.
        ///
        /// - Throws: `StenoError.outputFailed`.
        func pageKey() throws -> String {
            if let known = keptKey() { return known }
            try Self.makeFolder(folder)
            let key = EphemeralTokens.random(Self.keyLength)
            try AtomicFile.write(key + "\n", to: keyFile, permissions: 0o600)
            return key
        }

        /// Creates a folder for its owner only, unless it exists.
        ///
        /// - Throws: `StenoError.outputFailed`.
        static func makeFolder(_ folder: URL) throws {
            do {
                try FileManager.default.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw StenoError(
                    .outputFailed,
                    "The folder \(folder.path) cannot be created. Check the permissions of the folder above it.",
                    underlying: error)
            }
        }

        private static let keyLength = 22

        private func keptKey() -> String? {
            let mode = try? FileManager.default.attributesOfItem(atPath: keyFile.path)[.posixPermissions] as? Int
            guard let mode, mode & 0o077 == 0,
                let key = try? String(contentsOf: keyFile, encoding: .utf8).trimmingCharacters(in: .newlines),
                key.count >= Self.keyLength, key.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
            else { return nil }
            return key
        }
    }
#endif
