#if Server
    import Crypto
    import Foundation
    import HTTPTypes
    import Hummingbird
    import StenoCore

    /// The captions page: its files, and headers that let it load nothing from elsewhere.
    @available(macOS 14, iOS 17, *)
    struct CaptionsPage: Sendable {
        /// A file as it is sent.
        struct File: Sendable {
            let text: String
            /// The media type.
            let type: String
            /// Identifies the content, for browsers that already have it.
            let tag: String

            init(text: String, type: String) {
                (self.text, self.type) = (text, type)
                let bytes = SHA256.hash(data: Data(text.utf8)).prefix(12)
                tag = "\"" + bytes.map { String($0, radix: 16) }.joined(separator: "-") + "\""
            }
        }

        /// The files, by their paths in `Page/Page`.
        let files: [String: File]

        /// Reads the files once: a running server does not need them on disk.
        ///
        /// - Throws: `StenoError.resourceMissing` when they were not installed with the program.
        init() throws {
            let folder = try ServerResources.url("Page")
            let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
            var files: [String: File] = [:]
            for name in names {
                let url = folder.appendingPathComponent(name)
                guard let type = Self.types[url.pathExtension] else { continue }
                guard let text = try? String(contentsOf: url, encoding: .utf8) else {
                    throw ServerResources.missing("Page/\(name)")
                }
                files[name] = File(text: text, type: type)
            }
            guard files["index.html"] != nil else { throw ServerResources.missing("Page/index.html") }
            self.files = files
        }

        /// Allows only the page's own files, no inline scripts or styles, and audio that the page itself holds.
        static let policy = [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
            "media-src blob:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")

        /// The media types, by the extensions of the files.
        private static let types = [
            "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "svg": "image/svg+xml",
            "js": "text/javascript; charset=utf-8", "json": "application/json",
        ]

        /// The file at a path of the server; nil if there is none.
        private func file(at path: String) -> File? {
            switch path {
            case "/": return files["index.html"]
            case "/overlay": return files["overlay.html"]
            default:
                guard path.hasPrefix(Self.folder), !path.hasSuffix(".html") else { return nil }
                return files[String(path.dropFirst(Self.folder.count))]
            }
        }

        private static let folder = "/captions/"

        /// - Throws: `ServerError` if there is no such file.
        func response(_ request: Request) throws -> Response {
            guard let file = file(at: request.uri.path) else {
                throw ServerError.invalid("There is no such file. Check the path.", code: "unknown_url", status: 404)
            }
            let isKnown = request.headers[values: .ifNoneMatch].flatMap { $0.split(separator: ",") }
                .contains { ["*", file.tag, "W/" + file.tag].contains($0.trimmingCharacters(in: .whitespaces)) }
            var response = isKnown ? Response(status: .notModified) : .data(Data(file.text.utf8), type: file.type)
            if isKnown { response.headers[.contentLength] = nil }
            response.headers[.eTag] = file.tag
            for case (let name?, let value) in Self.headers { response.headers[name] = value }
            return response
        }

        private static let headers: [(HTTPField.Name?, String)] = [
            (.contentSecurityPolicy, policy), (.cacheControl, "no-cache"), (.referrerPolicy, "no-referrer"),
            (.permissionsPolicy, "microphone=(self), display-capture=(self), camera=(), geolocation=()"),
            (.crossOriginOpenerPolicy, "same-origin"), (.crossOriginResourcePolicy, "same-origin"),
        ]
    }

    /// The files that come with the server: the captions page and the description of the API.
    enum ServerResources {
        private static let bundle = "Steno_StenoServer"

        /// - Throws: `StenoError.resourceMissing` when it was not installed with the program.
        static func url(_ name: String) throws -> URL {
            guard let url = ResourceFolder(bundle: bundle, of: Anchor.self).url(name) else { throw missing(name) }
            return url
        }

        /// The error for a file or folder that is missing or unreadable; the message says what to install.
        static func missing(_ name: String) -> StenoError {
            StenoError(
                .resourceMissing,
                "\"\(name)\", which comes with the server, is missing or damaged. Install "
                    + "\(bundle)\(ResourceFolder.suffix) from the build next to the program.")
        }

        /// Bundles on Apple platforms are found by a class that is linked into them.
        private final class Anchor {}
    }
#endif
