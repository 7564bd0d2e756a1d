package import Foundation
import Steno

/// The hub to use, and how, from the environment variables of Hugging Face's tools.
package struct HubSettings: Sendable {
    /// The address of the hub; `HF_ENDPOINT` sets a mirror.
    package var endpoint: URL
    /// The user's token, which is sent only to ``endpoint``.
    package var token: String?
    /// Whether the network may not be used (`HF_HUB_OFFLINE`).
    package var isOffline: Bool

    package static let publicEndpoint = URL(string: "https://huggingface.co") ?? URL(fileURLWithPath: "/")

    package init(endpoint: URL = publicEndpoint, token: String? = nil, isOffline: Bool = false) {
        self.endpoint = endpoint
        self.token = token
        self.isOffline = isOffline
    }

    /// Reads `HF_ENDPOINT`, `HF_TOKEN` or the file of `hf auth login`, and `HF_HUB_OFFLINE`.
    ///
    /// - Throws: `invalidOption` if `HF_ENDPOINT` is not a valid address.
    package init(environment: [String: String], home: URL? = nil) throws {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        var endpoint = Self.publicEndpoint
        if let text = value("HF_ENDPOINT") {
            let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
            guard let url = URL(string: trimmed), ["http", "https"].contains(url.scheme), url.host != nil,
                url.query == nil, url.user == nil
            else {
                throw StenoError(
                    .invalidOption, "HF_ENDPOINT is not a valid address. Set it to one such as https://huggingface.co.")
            }
            endpoint = url
        }
        let offline = value("HF_HUB_OFFLINE")?.uppercased()
        self.init(
            endpoint: endpoint,
            token: value("HF_TOKEN") ?? value("HUGGING_FACE_HUB_TOKEN") ?? Self.savedToken(environment, home: home),
            isOffline: ["1", "ON", "YES", "TRUE"].contains(offline))
    }

    /// The token for a request: only for the hub itself, and never unencrypted over a network.
    func token(for url: URL) -> String? {
        guard Origin(url) == Origin(endpoint), url.scheme == "https" || Self.isLoopback(url) else { return nil }
        return token
    }

    package static func isLoopback(_ url: URL) -> Bool {
        ["localhost", "127.0.0.1", "::1", "[::1]"].contains(url.host?.lowercased() ?? "")
    }

    private static func savedToken(_ environment: [String: String], home: URL?) -> String? {
        let usual = UserFolders(environment, home: home).huggingFace.appendingPathComponent("token")
        let file = environment.path("HF_TOKEN_PATH") ?? usual
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return token.isEmpty ? nil : token
    }
}

/// Scheme, host and port, which decide whether the token may be sent (RFC 6454).
struct Origin: Hashable {
    private let scheme: String
    private let host: String
    private let port: Int

    init(_ url: URL) {
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "http" ? 80 : 443)
    }
}
