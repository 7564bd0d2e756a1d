#if Server
    import HTTPTypes

    /// A path of the server and the methods that it takes.
    struct Route: Sendable, Equatable {
        /// The path, with a name in braces where it varies: `/v1/models/{model}`.
        let name: String
        let methods: [HTTPRequest.Method]
    }

    /// The paths of a server, for 405 responses, preflights, the log and the OpenAPI document.
    struct Routes: Sendable {
        /// All routes; requests to WebSocket paths arrive here only if they are not upgrades.
        let all: [Route]
        private let byName: [String: Route]
        private let templates: [(parts: [Substring], route: Route)]

        /// The paths of a server with or without a captions page and a history.
        init(hasCaptions: Bool = false, hasHistory: Bool = false) {
            all = Self.speech + (hasCaptions ? Self.captions : []) + (hasCaptions && hasHistory ? Self.history : [])
            byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }
            templates = all.filter { $0.name.contains("{") }.map { ($0.name.split(separator: "/"), $0) }
        }

        /// The paths of a server with these captions.
        init(_ captions: CaptionsOptions?) {
            self.init(hasCaptions: captions != nil, hasHistory: captions?.archive != nil)
        }

        /// The route of a path; nil if there is none.
        ///
        /// Like the router, it ignores trailing and repeated slashes.
        func route(of path: String) -> Route? {
            let parts = path.split(separator: "/")
            return byName["/" + parts.joined(separator: "/")] ?? templates.first { Self.fits(parts, $0) }?.route
        }

        private static func fits(_ parts: [Substring], _ template: (parts: [Substring], route: Route)) -> Bool {
            let expected = template.parts
            guard parts.count == expected.count || parts.count > expected.count && isOpen(template.route) else {
                return false
            }
            return zip(parts, expected).allSatisfy { $0 == $1 || $1.hasPrefix("{") }
        }

        /// Whether the last part of a route may contain `/`, as the names of models do.
        private static func isOpen(_ route: Route) -> Bool { route == model || route == file }

        /// The files of the captions page, which contain no personal data; the requests they make need a key.
        static let page: Set<String> = ["/", "/overlay", file.name]

        private static let model = Route(name: "/v1/models/{model}", methods: [.get])
        private static let file = Route(name: "/captions/{file}", methods: [.get])

        private static let speech = [
            Route(name: "/health", methods: [.get]), Route(name: "/ready", methods: [.get]),
            Route(name: "/metrics", methods: [.get]), Route(name: "/openapi.json", methods: [.get]),
            Route(name: "/v1/models", methods: [.get]), model,
            Route(name: "/v1/audio/transcriptions", methods: [.post]),
            Route(name: "/v1/audio/translations", methods: [.post]),
            Route(name: "/v1/realtime", methods: [.get]),
            Route(name: "/v1/realtime/client_secrets", methods: [.post]),
            Route(name: "/v1/realtime/transcription_sessions", methods: [.post]),
        ]

        private static let captions = [
            Route(name: "/", methods: [.get]), Route(name: "/overlay", methods: [.get]), file,
            Route(name: "/v1/steno/captions", methods: [.get]),
        ]

        private static let history = [
            Route(name: "/v1/steno/history", methods: [.get]), Route(name: "/v1/steno/history/search", methods: [.get]),
            Route(name: "/v1/steno/history/{session}", methods: [.get, .post, .delete]),
            Route(name: "/v1/steno/history/{session}/summary", methods: [.get]),
            Route(name: "/v1/steno/history/{session}/export", methods: [.get]),
            Route(name: "/v1/steno/history/{session}/audio", methods: [.get]),
        ]
    }
#endif
