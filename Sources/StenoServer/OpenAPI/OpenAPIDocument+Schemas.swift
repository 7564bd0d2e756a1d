#if Server
    extension OpenAPIDocument {
        /// The objects, as members of `schemas`.
        static let schemas = forms + ",\n" + responses

        private static let forms = """
                  "TranscriptionForm": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                      "file": {"type": "string", "format": "binary"},
                      "model": {"type": "string", "description": "A name of /v1/models; OpenAI's names are the default."},
                      "language": {"type": "string", "description": "The spoken language: en, de, pt-BR."},
                      "languages": {"type": "array", "items": {"type": "string"}},
                      "prompt": {"type": "string"},
                      "keywords": {"type": "array", "items": {"type": "string"}},
                      "response_format": {
                        "type": "string",
                        "enum": ["json", "text", "srt", "verbose_json", "vtt", "diarized_json"]
                      },
                      "temperature": {"type": "number", "minimum": 0, "maximum": 1},
                      "timestamp_granularities[]": {
                        "type": "array", "items": {"type": "string", "enum": ["word", "segment"]}
                      },
                      "include[]": {"type": "array", "items": {"type": "string", "enum": ["logprobs"]}},
                      "stream": {"type": "boolean"},
                      "chunking_strategy": {"type": "string", "enum": ["auto"]},
                      "known_speaker_names[]": {"type": "array", "maxItems": 4, "items": {"type": "string"}},
                      "known_speaker_references[]": {
                        "type": "array", "maxItems": 4,
                        "description": "A recording of each of these voices, as a data URL in base64.",
                        "items": {"type": "string"}
                      }
                    }
                  },
                  "TranslationForm": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                      "file": {"type": "string", "format": "binary"},
                      "model": {"type": "string"},
                      "prompt": {"type": "string"},
                      "response_format": {
                        "type": "string", "enum": ["json", "text", "srt", "verbose_json", "vtt"]
                      },
                      "temperature": {"type": "number", "minimum": 0, "maximum": 1}
                    }
                  }
            """

        private static let responses = """
                  "Usage": {
                    "type": "object",
                    "required": ["type", "seconds"],
                    "properties": {"type": {"const": "duration"}, "seconds": {"type": "number"}}
                  },
                  "Transcription": {
                    "type": "object",
                    "required": ["text", "usage"],
                    "properties": {
                      "text": {"type": "string"},
                      "logprobs": {
                        "type": "array",
                        "description": "One entry for each word.",
                        "items": {
                          "type": "object",
                          "required": ["token", "bytes", "logprob"],
                          "properties": {
                            "token": {"type": "string"},
                            "bytes": {"type": "array", "items": {"type": "integer"}},
                            "logprob": {"type": "number"}
                          }
                        }
                      },
                      "usage": {"$ref": "#/components/schemas/Usage"}
                    }
                  },
                  "VerboseTranscription": {
                    "type": "object",
                    "required": ["task", "language", "duration", "text", "usage"],
                    "properties": {
                      "task": {"enum": ["transcribe", "translate"]},
                      "language": {"type": "string"},
                      "duration": {"type": "number"},
                      "text": {"type": "string"},
                      "segments": {"type": "array", "items": {"$ref": "#/components/schemas/Segment"}},
                      "words": {
                        "type": "array",
                        "items": {
                          "type": "object",
                          "required": ["word", "start", "end"],
                          "properties": {
                            "word": {"type": "string"}, "start": {"type": "number"}, "end": {"type": "number"}
                          }
                        }
                      },
                      "usage": {"$ref": "#/components/schemas/Usage"}
                    }
                  },
                  "Segment": {
                    "type": "object",
                    "required": [
                      "id", "seek", "start", "end", "text", "tokens", "temperature", "avg_logprob",
                      "compression_ratio", "no_speech_prob"
                    ],
                    "properties": {
                      "id": {"type": "integer"},
                      "seek": {"type": "integer"},
                      "start": {"type": "number"},
                      "end": {"type": "number"},
                      "text": {"type": "string"},
                      "tokens": {"type": "array", "items": {"type": "integer"}},
                      "temperature": {"type": "number"},
                      "avg_logprob": {"type": "number"},
                      "compression_ratio": {"type": "number"},
                      "no_speech_prob": {"type": "number"}
                    }
                  },
                  "DiarizedTranscription": {
                    "type": "object",
                    "required": ["task", "duration", "text", "segments", "usage"],
                    "properties": {
                      "task": {"const": "transcribe"},
                      "duration": {"type": "number"},
                      "text": {"type": "string"},
                      "segments": {
                        "type": "array",
                        "items": {
                          "type": "object",
                          "required": ["type", "id", "start", "end", "text", "speaker"],
                          "properties": {
                            "type": {"const": "transcript.text.segment"},
                            "id": {"type": "string"},
                            "start": {"type": "number"},
                            "end": {"type": "number"},
                            "text": {"type": "string"},
                            "speaker": {"type": "string", "description": "The name given for a voice, or A, B, C by first appearance."}
                          }
                        }
                      },
                      "usage": {"$ref": "#/components/schemas/Usage"}
                    }
                  },
                  "Model": {
                    "type": "object",
                    "required": ["id", "object", "created", "owned_by"],
                    "properties": {
                      "id": {"type": "string"},
                      "object": {"const": "model"},
                      "created": {"type": "integer"},
                      "owned_by": {"type": "string"}
                    }
                  },
                  "ModelList": {
                    "type": "object",
                    "required": ["object", "data"],
                    "properties": {
                      "object": {"const": "list"},
                      "data": {"type": "array", "items": {"$ref": "#/components/schemas/Model"}}
                    }
                  },
                  "Status": {
                    "type": "object",
                    "required": ["status"],
                    "properties": {"status": {"enum": ["ok", "ready", "not ready"]}}
                  },
                  "ErrorResponse": {
                    "type": "object",
                    "required": ["error"],
                    "properties": {
                      "error": {
                        "type": "object",
                        "required": ["message", "type", "param", "code"],
                        "properties": {
                          "message": {"type": "string"},
                          "type": {"type": "string"},
                          "param": {"type": ["string", "null"]},
                          "code": {"type": ["string", "null"]}
                        }
                      }
                    }
                  }
            """
    }
#endif
