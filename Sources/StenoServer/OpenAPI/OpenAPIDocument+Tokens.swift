#if Server
    extension OpenAPIDocument {
        /// The paths of the tokens for browsers, as members of `paths`.
        static let tokenPaths = """
                "/v1/realtime/client_secrets": {
                  "post": {
                    "operationId": "createClientSecret",
                    "summary": "A token with which a browser opens realtime sessions, for a short time.",
                    "requestBody": {
                      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ClientSecretRequest"}}}
                    },
                    "responses": {
                      "200": {
                        "description": "The token and the session that it opens.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ClientSecret"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                },
                "/v1/realtime/transcription_sessions": {
                  "post": {
                    "operationId": "createTranscriptionSession",
                    "summary": "The same in the form of the beta API; the body is the session.",
                    "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
                    "responses": {
                      "200": {
                        "description": "The session with its token.",
                        "content": {
                          "application/json": {"schema": {"$ref": "#/components/schemas/TranscriptionSession"}}
                        }
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                }
            """

        /// The objects of the tokens, as members of `schemas`.
        static let tokenSchemas = """
                  "ClientSecretRequest": {
                    "type": "object",
                    "properties": {
                      "expires_after": {
                        "type": "object",
                        "properties": {"seconds": {"type": "integer", "minimum": 10, "maximum": 7200, "default": 600}}
                      },
                      "session": {"type": "object"}
                    }
                  },
                  "ClientSecret": {
                    "type": "object",
                    "required": ["value", "expires_at", "session"],
                    "properties": {
                      "value": {"type": "string"},
                      "expires_at": {"type": "integer"},
                      "session": {"type": "object"}
                    }
                  },
                  "TranscriptionSession": {
                    "type": "object",
                    "required": ["id", "object", "client_secret"],
                    "properties": {
                      "id": {"type": "string"},
                      "object": {"const": "realtime.transcription_session"},
                      "client_secret": {
                        "type": "object",
                        "required": ["value", "expires_at"],
                        "properties": {"value": {"type": "string"}, "expires_at": {"type": "integer"}}
                      }
                    }
                  }
            """
    }
#endif
