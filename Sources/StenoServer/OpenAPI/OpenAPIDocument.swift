#if Server
    /// The description of the REST API in OpenAPI 3.1, which `/openapi.json` serves; `Documentation/openapi.json` is the same.
    package enum OpenAPIDocument {
        /// The document as JSON.
        package static var text: String {
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
            \(paths),
            \(tokenPaths)
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
            \(schemas),
            \(tokenSchemas)
                }
              }
            }

            """
        }
    }
#endif
