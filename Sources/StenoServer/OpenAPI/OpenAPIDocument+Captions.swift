#if Server
    extension OpenAPIDocument {
        /// The paths of the captions page, as members of `paths`, without those of its files.
        static let captionsPaths = """
                "/v1/steno/captions": {
                  "get": {
                    "operationId": "captions",
                    "summary": "What the captions page offers.",
                    "responses": {
                      "200": {
                        "description": "The offer.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CaptionsOffer"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                }
            """

        /// The objects of the captions page, as members of `schemas`.
        static let captionsSchemas = """
                  "CaptionsOffer": {
                    "type": "object",
                    "required": ["version", "model", "language", "languages", "speakers", "history", "fingerprint"],
                    "properties": {
                      "version": {"type": "string"},
                      "model": {"type": "string"},
                      "language": {"type": ["string", "null"], "description": "Where a page begins; null is detected."},
                      "languages": {"type": "array", "items": {"type": "string"}},
                      "speakers": {"type": "boolean", "description": "Whether speakers can be labelled."},
                      "history": {"type": "boolean", "description": "Whether sessions can be kept."},
                      "fingerprint": {"type": ["string", "null"], "description": "SHA-256 of the certificate."}
                    }
                  }
            """
    }
#endif
