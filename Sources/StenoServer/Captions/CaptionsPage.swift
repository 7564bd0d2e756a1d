#if Server
    import Crypto
    import Foundation
    import HTTPTypes
    import Hummingbird

    /// The captions page: files that are part of the program, and headers that let it load nothing from elsewhere.
    @available(macOS 14, iOS 17, *)
    enum CaptionsPage {
        /// The page's own files alone; no script or style within the document; audio that the page itself has.
        static let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
            "media-src blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")

        private static let types = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
            "js": "text/javascript; charset=utf-8", "json": "application/json",
        ]

        /// The file of a path of the server; nil where there is none.
        static func file(at path: String) -> String? {
            switch path {
            case "/": return "index.html"
            case "/overlay": return "overlay.html"
            default:
                let name = path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : ""
                return PageFiles.all[name] == nil || name.hasSuffix(".html") ? nil : name
            }
        }

        private static let folder = "/captions/"

        /// The response with a file.
        ///
        /// - Throws: `ServerError` when there is no such file.
        static func response(_ request: Request) throws -> Response {
            let path = request.uri.path
            guard let name = file(at: path), let text = PageFiles.all[name] else {
                throw ServerError.invalid("The page has no such file.", code: "unknown_url", status: 404)
            }
            let type = name.split(separator: ".").last.flatMap { types[String($0)] } ?? "text/plain; charset=utf-8"
            let tag = tags[name] ?? ""
            let isKnown = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
                .contains { ["*", tag, "W/" + tag].contains($0.trimmingCharacters(in: .whitespaces)) }
            var response = isKnown ? Response(status: .notModified) : .data(Data(text.utf8), type: type)
            if isKnown { response.headers[.contentLength] = nil }
            response.headers[.eTag] = tag
            for (name, value) in headers {
                if let name = HTTPField.Name(name) { response.headers[name] = value }
            }
            return response
        }

        /// What identifies the content of each file, for browsers that have it already.
        private static let tags = PageFiles.all.mapValues { text in
            "\"" + SHA256.hash(data: Data(text.utf8)).prefix(12).map { String($0, radix: 16) }.joined(separator: "-")
                + "\""
        }

        private static let headers = [
            ("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-cache"),
            ("Permissions-Policy", "microphone=(self), display-capture=(self), camera=(), geolocation=()"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
        ]
    }
#endif
