import Foundation

/// Scheme, host and port: what decides whether a token may be sent (RFC 6454).
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
