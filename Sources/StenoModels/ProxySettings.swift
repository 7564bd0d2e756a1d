package import Foundation

/// The proxy variables, as curl understands them.
///
/// On Linux, `URLSession` is built on libcurl, which reads them itself (`http_proxy` in lower case only). Apple's
/// `URLSession` knows only the system's settings, so it gets these from here.
package struct ProxySettings: Sendable, Hashable {
    package var http: URL?
    package var https: URL?
    /// Hosts, and suffixes such as `.example.com`, that are reached without a proxy; `*` means every host.
    package var exceptions: [String]

    /// Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`; lower-case names take precedence.
    package init(environment: [String: String]) {
        func value(_ name: String) -> String? {
            [name.lowercased(), name].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        func proxy(_ name: String) -> URL? {
            guard let text = value(name) ?? value("ALL_PROXY") else { return nil }
            return URL(string: text.contains("://") ? text : "http://" + text)
        }
        http = proxy("HTTP_PROXY")
        https = proxy("HTTPS_PROXY")
        exceptions = (value("NO_PROXY") ?? "").split { $0 == "," || $0 == " " }.map(String.init)
    }

    #if canImport(Darwin)
        /// The proxies as a `URLSessionConfiguration` takes them; nil if none is set.
        var dictionary: [AnyHashable: Any]? {
            guard http != nil || https != nil, !exceptions.contains("*") else { return nil }
            var entries: [AnyHashable: Any] = [:]
            for (proxy, name) in [(http, "HTTP"), (https, "HTTPS")] {
                guard let proxy, let host = proxy.host else { continue }
                entries[name + "Enable"] = 1
                entries[name + "Proxy"] = host
                entries[name + "Port"] = proxy.port ?? (proxy.scheme == "https" ? 443 : 80)
            }
            entries["ExceptionsList"] = exceptions.map { $0.hasPrefix(".") ? "*" + $0 : $0 }
            return entries
        }
    #endif
}
