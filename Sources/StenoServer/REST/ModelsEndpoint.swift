#if Server
    import Foundation
    import Hummingbird

    /// `GET /v1/models` and `/v1/models/{id}`.
    @available(macOS 14, iOS 17, *)
    struct ModelsEndpoint: Sendable {
        private struct List: Encodable {
            var object = "list"
            let data: [Model]
        }

        private struct Model: Encodable {
            let id: String
            var object = "model"
            let created: Int
            let ownedBy = "steno"

            private enum CodingKeys: String, CodingKey {
                case id, object, created
                case ownedBy = "owned_by"
            }
        }

        let models: ModelHost
        /// When the server was started, in seconds since 1970, because clients need not know the dates of model files.
        let started: Int

        func list() throws -> Response {
            .json(try APIEncoder.data(List(data: models.names.map { Model(id: $0, created: started) })))
        }

        /// One model; a name of OpenAI's is answered under that name, since clients ask for the one they will use.
        func model(_ context: ServerRequestContext) throws -> Response {
            let name = context.parameters.getCatchAll().map { String($0).removingPercentEncoding ?? String($0) }
                .joined(separator: "/")
            _ = try models.resolve(name)
            return .json(try APIEncoder.data(Model(id: name, created: started)))
        }
    }
#endif
