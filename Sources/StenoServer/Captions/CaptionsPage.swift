#if Server
    import Crypto
    import Foundation
    import HTTPTypes
    import Hummingbird

    /// The captions page: its files, and headers that let it load nothing from elsewhere.
    @available(macOS 14, iOS 17, *)
    struct CaptionsPage: Sendable {
        /// The texts of the files, by their paths in `Captions/Page`.
        let files: [String: String]
        /// What identifies the content of each file, for browsers that have it already.
        private let tags: [String: String]

        /// Reads the files, once: a server that runs does not need them on the disk.
        ///
        /// - Throws: `StenoError.resourceMissing` when they were not installed with the program.
        init() throws {
            let folder = try ServerResources.url("Page")
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
            var files: [String: String] = [:]
            // The folders are called css and js.
            for name in names where name.contains(".") && Self.mediaType(of: name) != nil {
                guard let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8) else {
                    throw ServerResources.missing("Page/\(name)")
                }
                files[name] = text
            }
            guard files["index.html"] != nil else { throw ServerResources.missing("Page/index.html") }
            self.files = files
            tags = files.mapValues { text in
                let bytes = SHA256.hash(data: Data(text.utf8)).prefix(12)
                return "\"" + bytes.map { String($0, radix: 16) }.joined(separator: "-") + "\""
            }
        }

        /// The page's own files alone; no script or style within the document; audio that the page itself has.
        static let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
            "media-src blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")

        private static let types = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
            "js": "text/javascript; charset=utf-8", "json": "application/json",
        ]

        private static func mediaType(of name: String) -> String? {
            name.split(separator: ".").last.flatMap { types[String($0)] }
        }

        /// The file of a path of the server; nil where there is none.
        private func file(at path: String) -> String? {
            switch path {
            case "/": return "index.html"
            case "/overlay": return "overlay.html"
            default:
                let name = path.hasPrefix(Self.folder) ? String(path.dropFirst(Self.folder.count)) : ""
                return files[name] == nil || name.hasSuffix(".html") ? nil : name
            }
        }

        private static let folder = "/captions/"

        /// The response with a file.
        ///
        /// - Throws: `ServerError` when there is no such file.
        func response(_ request: Request) throws -> Response {
            let path = request.uri.path
            guard let name = file(at: path), let text = files[name], let type = Self.mediaType(of: name) else {
                throw ServerError.invalid("The page has no such file.", code: "unknown_url", status: 404)
            }
            let tag = tags[name] ?? ""
            let isKnown = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
                .contains { ["*", tag, "W/" + tag].contains($0.trimmingCharacters(in: .whitespaces)) }
            var response = isKnown ? Response(status: .notModified) : .data(Data(text.utf8), type: type)
            if isKnown { response.headers[.contentLength] = nil }
            response.headers[.eTag] = tag
            for (name, value) in Self.headers {
                if let name { response.headers[name] = value }
            }
            return response
        }

        private static let headers: [(HTTPField.Name?, String)] = [
            (HTTPField.Name.contentSecurityPolicy, policy), (HTTPField.Name.cacheControl, "no-cache"),
            (HTTPField.Name.referrerPolicy, "no-referrer"),
            (
                HTTPField.Name.permissionsPolicy,
                "microphone=(self), display-capture=(self), camera=(), geolocation=()"
            ),
            (HTTPField.Name.crossOriginOpenerPolicy, "same-origin"),
            (HTTPField.Name.crossOriginResourcePolicy, "same-origin"),
        ]
    }
#endif
