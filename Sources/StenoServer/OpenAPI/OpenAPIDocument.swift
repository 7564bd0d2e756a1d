#if Server
    /// The description of the REST API in OpenAPI 3.1, which `/openapi.json` serves; `Documentation/openapi.json` is that of a
    /// server with a captions page and a history.
    package struct OpenAPIDocument {
        private let hasCaptions: Bool
        private let hasHistory: Bool

        /// The description of a server that has a captions page or not, and a history or not.
        init(hasCaptions: Bool = false, hasHistory: Bool = false) {
            (self.hasCaptions, self.hasHistory) = (hasCaptions, hasCaptions && hasHistory)
        }

        /// The description of a server with these captions.
        init(_ captions: CaptionsOptions?) {
            self.init(hasCaptions: captions != nil, hasHistory: captions?.archive != nil)
        }

        /// The document as JSON.
        package var text: String {
            """
            {
              "openapi": "3.1.0",
              "info": {
                "title": "Steno server",
                "version": "1",
                "description": "Speech to text on this machine, with the interface of OpenAI's audio API."
              },
              "security": [{}, {"key": []}],
              "paths": {
            \(members(Self.paths, Self.tokenPaths, Self.captionsPaths, Self.historyPaths))
              },
              "components": {
                "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
                "responses": {
                  "Error": {
                    "description": "What is wrong. 503 has the header Retry-After.",
                    "headers": {"Retry-After": {"schema": {"type": "integer"}}},
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorResponse"}}}
                  }
                },
                "schemas": {
            \(members(Self.schemas, Self.tokenSchemas, Self.captionsSchemas, Self.historySchemas))
                }
              }
            }

            """
        }

        /// The members of an object that this server has.
        private func members(_ speech: String, _ tokens: String, _ captions: String, _ history: String) -> String {
            ([speech, tokens] + (hasCaptions ? [captions] : []) + (hasHistory ? [history] : []))
                .joined(separator: ",\n")
        }
    }
#endif
