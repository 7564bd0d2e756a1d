#if Server
    extension OpenAPIDocument {
        /// The paths, as members of `paths`.
        static let paths = """
                "/v1/audio/transcriptions": {
                  "post": {
                    "operationId": "createTranscription",
                    "summary": "Transcribes a recording.",
                    "requestBody": {
                      "required": true,
                      "content": {
                        "multipart/form-data": {"schema": {"$ref": "#/components/schemas/TranscriptionForm"}}
                      }
                    },
                    "responses": {
                      "200": {
                        "description": "The transcript in the format that was asked for.",
                        "content": {
                          "application/json": {
                            "schema": {
                              "anyOf": [
                                {"$ref": "#/components/schemas/Transcription"},
                                {"$ref": "#/components/schemas/VerboseTranscription"},
                                {"$ref": "#/components/schemas/DiarizedTranscription"}
                              ]
                            }
                          },
                          "text/plain": {"schema": {"type": "string"}},
                          "application/x-subrip": {"schema": {"type": "string"}},
                          "text/vtt": {"schema": {"type": "string"}},
                          "text/event-stream": {
                            "schema": {
                              "type": "string",
                              "description": "With stream=true: transcript.text.delta, transcript.text.done, [DONE]."
                            }
                          }
                        }
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                },
                "/v1/audio/translations": {
                  "post": {
                    "operationId": "createTranslation",
                    "summary": "Translates the speech of a recording into English.",
                    "requestBody": {
                      "required": true,
                      "content": {
                        "multipart/form-data": {"schema": {"$ref": "#/components/schemas/TranslationForm"}}
                      }
                    },
                    "responses": {
                      "200": {
                        "description": "The translation in the format that was asked for.",
                        "content": {
                          "application/json": {
                            "schema": {
                              "anyOf": [
                                {"$ref": "#/components/schemas/Transcription"},
                                {"$ref": "#/components/schemas/VerboseTranscription"}
                              ]
                            }
                          },
                          "text/plain": {"schema": {"type": "string"}},
                          "application/x-subrip": {"schema": {"type": "string"}},
                          "text/vtt": {"schema": {"type": "string"}}
                        }
                      },
                      "4XX": {"$ref": "#/components/responses/Error"},
                      "5XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                },
                "/v1/models": {
                  "get": {
                    "operationId": "listModels",
                    "summary": "The models that can be asked for, the default first.",
                    "responses": {
                      "200": {
                        "description": "The models.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ModelList"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                },
                "/v1/models/{model}": {
                  "get": {
                    "operationId": "retrieveModel",
                    "summary": "One model.",
                    "parameters": [
                      {"name": "model", "in": "path", "required": true, "schema": {"type": "string", "minLength": 1}}
                    ],
                    "responses": {
                      "200": {
                        "description": "The model.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Model"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                },
                "/health": {
                  "get": {
                    "operationId": "health",
                    "summary": "Whether the process answers.",
                    "security": [],
                    "responses": {
                      "200": {
                        "description": "It does.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}}
                      }
                    }
                  }
                },
                "/ready": {
                  "get": {
                    "operationId": "ready",
                    "summary": "Whether work is taken on.",
                    "security": [],
                    "responses": {
                      "200": {
                        "description": "It is.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}}
                      },
                      "503": {
                        "description": "Not now: the server is shutting down.",
                        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}}
                      }
                    }
                  }
                },
                "/metrics": {
                  "get": {
                    "operationId": "metrics",
                    "summary": "Metrics in Prometheus' text format.",
                    "responses": {
                      "200": {
                        "description": "The metrics.",
                        "content": {"text/plain": {"schema": {"type": "string"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                },
                "/openapi.json": {
                  "get": {
                    "operationId": "openapi",
                    "summary": "This document.",
                    "responses": {
                      "200": {
                        "description": "The document.",
                        "content": {"application/json": {"schema": {"type": "object"}}}
                      },
                      "4XX": {"$ref": "#/components/responses/Error"}
                    }
                  }
                }
            """
    }
#endif
