#if Server
    import Foundation
    import Hummingbird

    /// `GET /v1/models` and `/v1/models/{id}`.
    @available(macOS 14, iOS 17, *)
    struct ModelsEndpoint: Sendable {
        let models: ModelHost
        /// When the server started, in seconds since 1970; clients need not know the dates of model files.
        let started: Int

        func list() -> Response { .json(["object": "list", "data": .array(models.names.map(object))]) }

        /// One model; the answer repeats an OpenAI name as given, because clients ask for the name that they will use.
        func model(_ context: ServerRequestContext) throws -> Response {
            let name = context.parameters.getCatchAll().map { String($0).removingPercentEncoding ?? String($0) }
                .joined(separator: "/")
            _ = try models.resolve(name)
            return .json(object(name))
        }

        private func object(_ name: String) -> JSONValue {
            ["id": .string(name), "object": "model", "created": .number(Double(started)), "owned_by": "steno"]
        }
    }
#endif
