#if Server
    import Steno

    extension WyomingEvent {
        /// The answer to `describe`: one program for speech to text, with its models.
        static func info(_ models: [(name: String, languages: [String])]) -> WyomingEvent {
            let attribution: JSONValue = ["name": "Steno", "url": ""]
            let list = models.map { model in
                JSONValue.object([
                    "name": .string(model.name), "description": .string("\(model.name), on this machine"),
                    "attribution": attribution, "installed": true, "version": .string(StenoVersion.current),
                    "languages": .array(model.languages.map(JSONValue.string)),
                ])
            }
            return WyomingEvent(
                "info",
                [
                    "asr": [
                        [
                            "name": "steno", "description": "On-device speech-to-text", "attribution": attribution,
                            "installed": true, "version": .string(StenoVersion.current), "models": .array(list),
                            "supports_transcript_streaming": true, "requires_external_vad": true,
                            "prefers_auto_gain_enabled": true,
                        ]
                    ],
                    "tts": [], "handle": [], "intent": [], "wake": [], "mic": [], "snd": [],
                ])
        }

        static func error(_ error: ServerError) -> WyomingEvent {
            WyomingEvent(
                "error", ["text": .string(error.message), "code": .string(error.code ?? error.type)])
        }
    }
#endif
