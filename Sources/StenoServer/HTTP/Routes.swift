#if Server
    import HTTPTypes

    /// The paths of the server and the methods that each takes, for the answer 405 and the log.
    enum Routes {
        /// The route of a path and its methods; nil where there is none.
        static func route(of path: String) -> (name: String, methods: [HTTPRequest.Method])? {
            let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
            if let methods = all[path] { return (path, methods) }
            if path.hasPrefix(models + "/") { return (models + "/{model}", [.get]) }
            return nil
        }

        private static let models = "/v1/models"

        private static let all: [String: [HTTPRequest.Method]] = [
            "/health": [.get], "/ready": [.get], "/metrics": [.get], "/openapi.json": [.get], models: [.get],
            "/v1/audio/transcriptions": [.post], "/v1/audio/translations": [.post], "/v1/realtime": [.get],
            "/v1/realtime/client_secrets": [.post], "/v1/realtime/transcription_sessions": [.post],
        ]
    }
#endif
