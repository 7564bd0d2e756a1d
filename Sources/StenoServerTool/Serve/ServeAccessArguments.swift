#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoServer

    @available(macOS 14, *)
    struct ServeAccessArguments: ParsableArguments {
        @Option(
            name: .long,
            help: ArgumentHelp(
                "API keys, one per line; clients must send one of them. The file must not be readable by others "
                    + "(chmod 600).",
                valueName: "file"))
        var apiKeyFile: String?

        @Flag(name: .long, help: "Let everyone who can reach the port use it, without a key.")
        var allowAnyone = false

        @Flag(
            name: .long,
            help: "Let everyone who can reach the --wyoming port use it: that protocol has no keys.")
        var allowWyoming = false

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Let pages from this origin call the server (https://example.com); may be repeated.",
                valueName: "origin")
        )
        var allowOrigin: [String] = []

        @Option(
            name: .long,
            help: ArgumentHelp(
                "Also accept this name in the Host header, such as that of a reverse proxy; may be repeated.",
                valueName: "name"))
        var allowHost: [String] = []

        func validate() throws {
            for origin in allowOrigin {
                guard let url = URL(string: origin), let scheme = url.scheme, ["http", "https"].contains(scheme),
                    url.host != nil, url.path.isEmpty
                else {
                    throw ValidationError("--allow-origin takes an origin like https://example.com, not “\(origin)”.")
                }
            }
        }

        func apply(to configuration: inout SpeechServer.Configuration) throws {
            configuration.allowedOrigins = allowOrigin
            configuration.allowedHosts = allowHost
            if let apiKeyFile { configuration.apiKeys = try APIKeyFile.keys(in: apiKeyFile) }
        }

        /// Refuses to open the server to a network without a key, unless the user asks for that.
        func checkReach(_ configuration: SpeechServer.Configuration) throws {
            let isLocal = ["127.0.0.1", "::1", "localhost"].contains(configuration.host)
            guard !isLocal, !allowAnyone else { return }
            guard !configuration.apiKeys.isEmpty else {
                throw StenoError(
                    .invalidOption,
                    "At \(configuration.host) other machines could use the server. Protect it with --api-key-file, or "
                        + "let everyone in with --allow-anyone.")
            }
            if let port = configuration.wyomingPort, !allowWyoming {
                throw StenoError(
                    .invalidOption,
                    "The Wyoming protocol has no keys, so at \(configuration.host) every machine that can reach port "
                        + "\(port) could use the server. Allow it with --allow-wyoming, and use a firewall to limit "
                        + "who can reach the port. Everything else still needs a key.")
            }
        }
    }

    enum APIKeyFile {
        /// Reads the keys, one per line; skips empty lines and lines that begin with #.
        ///
        /// - Parameter credentials: The folder in which systemd puts the credentials of a service.
        /// - Throws: `StenoError.invalidOption` if the file cannot be read, has no key, or other users can read it.
        static func keys(
            in path: String, credentials: String? = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"]
        ) throws -> [String] {
            let target = URL(fileURLWithPath: path).resolvingSymlinksInPath()
            let attributes = try? FileManager.default.attributesOfItem(atPath: target.path)
            guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue,
                let text = try? String(contentsOfFile: path, encoding: .utf8)
            else {
                throw StenoError(
                    .invalidOption, "The key file “\(path)” cannot be read. Check its name, and that you may read it.")
            }
            // systemd lets the service's user read its credentials through an ACL, whose mask shows as the group's
            // bits; nobody else can enter the folder.
            let othersBits = isCredential(target, in: credentials) ? 0o007 : 0o077
            guard mode & othersBits == 0 else {
                throw StenoError(.invalidOption, "Other users can read the key file “\(path)”. Run: chmod 600 \(path)")
            }
            let keys = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.isEmpty && !$0.hasPrefix("#") }
            guard !keys.isEmpty else {
                throw StenoError(
                    .invalidOption, "The key file “\(path)” has no key. Add one: openssl rand -hex 32 >> \(path)")
            }
            guard keys.allSatisfy({ $0.count >= 16 }) else {
                throw StenoError(
                    .invalidOption, "A key in “\(path)” is shorter than 16 characters. Make one: openssl rand -hex 32")
            }
            return keys
        }

        private static func isCredential(_ file: URL, in folder: String?) -> Bool {
            guard let folder, folder.hasPrefix("/") else { return false }
            let parents = URL(fileURLWithPath: folder).resolvingSymlinksInPath().pathComponents
            return file.pathComponents.count > parents.count && file.pathComponents.starts(with: parents)
        }
    }
#endif
