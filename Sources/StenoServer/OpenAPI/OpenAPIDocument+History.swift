#if Server
    import Steno

    extension OpenAPIDocument {
        /// The paths of the history, as members of `paths`.
        static let historyPaths = [list, session, files].joined(separator: ",\n")

        private static let list = """
                "/v1/steno/history": {
                  "get": {
                    "operationId": "listSessions",
                    "summary": "The sessions that are kept, the newest first.",
                    "responses": {
                      "200": {
                        "description": "The sessions.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SessionList"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                },
                "/v1/steno/history/search": {
                  "get": {
                    "operationId": "searchSessions",
                    "summary": "Places where something was said, the best first.",
                    "parameters": [
                      {
                        "name": "q", "in": "query", "required": false, "schema": {"type": "string"},
                        "description": "Words that all have to be in one utterance; words in quotation marks together."
                      }
                    ],
                    "responses": {
                      "200": {
                        "description": "The places.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SearchHits"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                }
            """

        private static let session = """
                "/v1/steno/history/{session}": {
                  "parameters": [\(parameter)],
                  "get": {
                    "operationId": "retrieveSession",
                    "summary": "A session with its text.",
                    "responses": {
                      "200": {
                        "description": "The session.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Session"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  },
                  "post": {
                    "operationId": "changeSession",
                    "summary": "Changes the title of a session, or the text of a segment.",
                    "requestBody": {
                      "required": true,
                      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SessionChange"}}}
                    },
                    "responses": {
                      "200": {
                        "description": "It is changed.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Changed"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  },
                  "delete": {
                    "operationId": "deleteSession",
                    "summary": "Deletes a session for good; one that is being recorded is refused with 409.",
                    "responses": {
                      "200": {
                        "description": "It is deleted.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Deleted"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                }
            """

        private static let files = """
                "/v1/steno/history/{session}/summary": {
                  "parameters": [\(parameter)],
                  "get": {
                    "operationId": "summarizeSession",
                    "summary": "A title and a summary that a session could have.",
                    "responses": {
                      "200": {
                        "description": "Both; empty where too little was said.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/SessionSummary"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                },
                "/v1/steno/history/{session}/export": {
                  "parameters": [\(parameter)],
                  "get": {
                    "operationId": "exportSession",
                    "summary": "The text of a session in a format.",
                    "parameters": [
                      {
                        "name": "format", "in": "query", "required": false,
                        "schema": {"enum": [\(formats)], "default": "txt"}
                      }
                    ],
                    "responses": {
                      "200": {
                        "description": "The file.",
                        "content": {
                          "text/plain": {"schema": {"type": "string"}},
                          "application/json": {"schema": {"type": "object"}}
                        }
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                },
                "/v1/steno/history/{session}/audio": {
                  "parameters": [\(parameter)],
                  "get": {
                    "operationId": "retrieveAudio",
                    "summary": "The audio of a session, if it is kept.",
                    "responses": {
                      "200": {
                        "description": "A WAV file (16 kHz, mono, 16 bits).",
                        "content": {"audio/wav": {}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                }
            """

        private static let formats = TranscriptFormat.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")

        private static let parameter = """
            {"name": "session", "in": "path", "required": true, "schema": {"type": "string", "format": "uuid"}}
            """

        /// The objects of the history, as members of `schemas`.
        static let historySchemas = [sessionSchemas, changeSchemas].joined(separator: ",\n")

        private static let sessionSchemas = """
                  "StoredSession": {
                    "type": "object",
                    "required": ["id", "title", "start", "duration", "language", "state"],
                    "properties": {
                      "id": {"type": "string", "format": "uuid"},
                      "title": {"type": "string"},
                      "start": {"type": "number", "description": "Seconds since 1970."},
                      "duration": {"type": "number", "description": "Seconds of audio."},
                      "language": {"type": ["string", "null"]},
                      "state": {"type": "string", "description": "recording, finished, interrupted or damaged."}
                    }
                  },
                  "SessionList": {
                    "type": "object",
                    "required": ["sessions"],
                    "properties": {
                      "sessions": {"type": "array", "items": {"$ref": "#/components/schemas/StoredSession"}}
                    }
                  },
                  "Session": {
                    "allOf": [
                      {"$ref": "#/components/schemas/StoredSession"},
                      {
                        "type": "object",
                        "required": ["hasAudio", "segments"],
                        "properties": {
                          "hasAudio": {"type": "boolean"},
                          "segments": {"type": "array", "items": {"$ref": "#/components/schemas/SessionSegment"}}
                        }
                      }
                    ]
                  },
                  "SessionSummary": {
                    "type": "object",
                    "required": ["title", "text"],
                    "properties": {"title": {"type": "string"}, "text": {"type": "string"}}
                  },
                  "SessionSegment": {
                    "type": "object",
                    "required": ["id", "utterance", "start", "end", "text", "editedText", "speaker", "words"],
                    "properties": {
                      "id": {"type": "integer"},
                      "utterance": {"type": "integer"},
                      "start": {"type": "number"},
                      "end": {"type": "number"},
                      "text": {"type": "string"},
                      "editedText": {"type": ["string", "null"]},
                      "speaker": {"type": ["string", "null"]},
                      "words": {
                        "type": "array",
                        "items": {
                          "type": "object",
                          "required": ["word", "start", "end", "speaker"],
                          "properties": {
                            "word": {"type": "string"}, "start": {"type": "number"}, "end": {"type": "number"},
                            "speaker": {"type": ["string", "null"]}
                          }
                        }
                      }
                    }
                  },
                  "SearchHits": {
                    "type": "object",
                    "required": ["hits"],
                    "properties": {
                      "hits": {
                        "type": "array",
                        "items": {
                          "type": "object",
                          "required": ["session", "segment", "start", "title", "excerpt"],
                          "properties": {
                            "session": {"type": "string", "format": "uuid"},
                            "segment": {"type": "integer"},
                            "start": {"type": "number"},
                            "title": {"type": "string"},
                            "excerpt": {
                              "type": "array",
                              "items": {
                                "type": "object",
                                "required": ["text", "isMatch"],
                                "properties": {"text": {"type": "string"}, "isMatch": {"type": "boolean"}}
                              }
                            }
                          }
                        }
                      }
                    }
                  }
            """

        private static let changeSchemas = """
                  "SessionChange": {
                    "anyOf": [
                      {
                        "type": "object", "required": ["title"],
                        "properties": {"title": {"type": "string", "maxLength": 200}}
                      },
                      {
                        "type": "object",
                        "required": ["segment", "text"],
                        "properties": {
                          "segment": {"type": "integer", "minimum": 0},
                          "text": {"type": ["string", "null"], "description": "null takes the edit back."}
                        }
                      }
                    ]
                  },
                  "Changed": {
                    "type": "object", "required": ["changed"], "properties": {"changed": {"const": true}}
                  },
                  "Deleted": {
                    "type": "object", "required": ["deleted"], "properties": {"deleted": {"const": true}}
                  }
            """
    }
#endif
