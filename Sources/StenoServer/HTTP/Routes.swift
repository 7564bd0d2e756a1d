#if Server
    import HTTPTypes

    /// The paths of the server and the methods that each takes, for the answer 405 and the log.
    enum Routes {
        /// The route of a path and its methods; nil where there is none.
        static func route(of path: String) -> (name: String, methods: [HTTPRequest.Method])? {
            let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
            if let methods = all[path] { return (path, methods) }
            let template = models + "/{model}"
            if path.hasPrefix(models + "/"), let methods = all[template] { return (template, methods) }
            return nil
        }

        /// The route of a path of the captions page; nil where there is none.
        static func captionsRoute(of path: String, hasHistory: Bool) -> (name: String, methods: [HTTPRequest.Method])? {
            if ["/", "/overlay", "/v1/steno/captions"].contains(path) { return (path, [.get]) }
            if path.hasPrefix("/captions/") { return ("/captions/{file}", [.get]) }
            guard hasHistory else { return nil }
            if [history, history + "/search"].contains(path) { return (path, [.get]) }
            guard path.hasPrefix(history + "/") else { return nil }
            let parts = path.dropFirst(history.count + 1).split(separator: "/", omittingEmptySubsequences: false)
            switch (parts.count, parts.last) {
            case (1, _): return (history + "/{session}", [.get, .post, .delete])
            case (2, "audio"), (2, "export"): return (history + "/{session}/\(parts[1])", [.get])
            default: return nil
            }
        }

        /// The files of the captions page, which say nothing about anybody; what they ask for needs a key.
        static let page: Set<String> = ["/", "/overlay", "/captions/{file}"]

        private static let history = "/v1/steno/history"
        private static let models = "/v1/models"

        /// All of them; clients of WebSocket paths get here only by a request that is no upgrade.
        static let all: [String: [HTTPRequest.Method]] = [
            "/health": [.get], "/ready": [.get], "/metrics": [.get], "/openapi.json": [.get], models: [.get],
            models + "/{model}": [.get],
            "/v1/audio/transcriptions": [.post], "/v1/audio/translations": [.post], "/v1/realtime": [.get],
            "/v1/realtime/client_secrets": [.post], "/v1/realtime/transcription_sessions": [.post],
        ]
    }
#endif
