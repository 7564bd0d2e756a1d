#if Server
    package import Steno

    /// The settings of a client's realtime session.
    package struct RealtimeConfiguration: Sendable, Hashable {
        /// The encoding of the audio from now on.
        package var format = RealtimeAudioFormat.standard
        /// The name of the model as the client gave it; nil for the default.
        package var model: String?
        /// The spoken language; nil detects it.
        package var language: String?
        package var prompt: String?
        /// Names and spelling to expect.
        package var keywords: [String] = []
        /// How turns are detected; nil if the client commits them.
        package var turnDetection: TurnDetection? = TurnDetection()
        package var includesLogprobs = false
        package var includesSegments = false
        /// Fields that are echoed to the client and have no effect.
        var delay: String?
        var noiseReduction: NoiseReduction?

        /// Where the microphone is, from which OpenAI's server chooses a filter.
        enum NoiseReduction: String, Sendable { case nearField = "near_field", farField = "far_field" }

        package init() {}

        package var options: LiveOptions {
            var options = LiveOptions(language: language)
            (options.vocabulary, options.prompt) = (keywords, prompt)
            if let turns = turnDetection {
                options.speechThreshold = turns.threshold
                options.silenceThreshold = min(options.silenceThreshold, turns.threshold * 0.7)
                options.preRoll = Double(turns.prefixPadding) / 1000
                options.endpoint = Double(turns.silence) / 1000
            }
            return options
        }

        /// Whether the other configuration needs a new engine, not just an update of the running one.
        func needsNewEngine(for other: RealtimeConfiguration) -> Bool {
            model != other.model || turnDetection != other.turnDetection || prompt != other.prompt
        }
    }

    // MARK: Updates

    extension RealtimeConfiguration {
        /// Applies a client's session object, in the general-availability or beta form; unknown fields are ignored.
        ///
        /// - Throws: ``ServerError`` that names the field; the configuration must not be used then.
        package mutating func update(_ session: JSONValue) throws(ServerError) {
            guard session.object != nil else { throw .invalidValue("session must be an object.", "session") }
            try update(
                session["audio"]?["input"] ?? [:], "session.audio.input.",
                ["format", "transcription", "turn_detection", "noise_reduction"])
            try update(
                session, "session.",
                ["input_audio_format", "input_audio_transcription", "turn_detection", "input_audio_noise_reduction"])
            try include(session["include"])
        }

        /// - Parameter names: The names of the audio format, the transcription, the turn detection and the noise reduction.
        private mutating func update(_ object: JSONValue, _ prefix: String, _ names: [String]) throws(ServerError) {
            if let format = object[names[0]], !format.isNull {
                self.format = try RealtimeAudioFormat(format, prefix + names[0])
            }
            if let transcription = object[names[1]], !transcription.isNull {
                try transcribe(transcription, prefix + names[1])
            }
            let turns = object[names[2]]
            if let turns, turns.isNull { turnDetection = nil }
            if let turns, !turns.isNull {
                var detection = turnDetection ?? TurnDetection()
                try detection.update(turns, prefix + names[2])
                turnDetection = detection
            }
            if let noise = object[names[3]] { noiseReduction = try Self.noiseReduction(noise, prefix + names[3]) }
        }

        /// Reads only the kind: other members would be stored and echoed, whatever their size.
        private static func noiseReduction(_ value: JSONValue, _ field: String) throws(ServerError) -> NoiseReduction? {
            if value.isNull { return nil }
            guard let kind = value["type"]?.string.flatMap(NoiseReduction.init(rawValue:)) else {
                throw .invalidValue(
                    "The type of noise reduction must be near_field or far_field; null turns it off.",
                    value.object == nil ? field : field + ".type")
            }
            return kind
        }

        private mutating func transcribe(_ value: JSONValue, _ field: String) throws(ServerError) {
            if let given = value["model"] { model = try Self.text(given, field + ".model", 200) }
            if let given = value["language"] { language = try Self.text(given, field + ".language", 40) }
            // A session has one language; if several are given, the engine detects it.
            if let given = value["languages"]?.array, given.count == 1 {
                language = try Self.text(given[0], field + ".languages", 40)
            }
            if let given = value["prompt"] { prompt = try Self.text(given, field + ".prompt", 4000) }
            if let given = value["delay"] { delay = try Self.text(given, field + ".delay", 40) }
            if let given = value["keywords"], !given.isNull {
                guard let list = given.array, list.count <= 200 else {
                    throw .invalidValue("keywords must be an array of at most 200 strings.", field + ".keywords")
                }
                var words: [String] = []
                for word in list { words.append(try Self.text(word, field + ".keywords", 200) ?? "") }
                keywords = words.filter { !$0.isEmpty }
            }
        }

        private mutating func include(_ value: JSONValue?) throws(ServerError) {
            guard let value, !value.isNull else { return }
            guard let names = value.array?.map(\.string), names.allSatisfy({ $0 != nil }) else {
                throw .invalidValue("include must be an array of strings.", "session.include")
            }
            includesLogprobs = names.contains("item.input_audio_transcription.logprobs")
            includesSegments = names.contains("item.input_audio_transcription.segments")
        }

        /// A string; nil if it is null or empty.
        private static func text(_ value: JSONValue, _ field: String, _ limit: Int) throws(ServerError) -> String? {
            if value.isNull { return nil }
            guard let text = value.string, text.utf8.count <= limit else {
                throw .invalidValue("\(field) must be a string of at most \(limit) bytes.", field)
            }
            return text.isEmpty ? nil : text
        }
    }

    // MARK: JSON

    extension RealtimeConfiguration {
        private var transcription: JSONValue {
            var members: [String: JSONValue] = [
                "model": model.map(JSONValue.string) ?? .null, "language": language.map(JSONValue.string) ?? .null,
                "prompt": .string(prompt ?? ""),
            ]
            if !keywords.isEmpty { members["keywords"] = .array(keywords.map(JSONValue.string)) }
            if let delay { members["delay"] = .string(delay) }
            return .object(members)
        }

        private var noise: JSONValue {
            guard let noiseReduction else { return .null }
            return ["type": .string(noiseReduction.rawValue)]
        }

        private var included: JSONValue {
            .array(
                (includesLogprobs ? ["item.input_audio_transcription.logprobs"] : [])
                    + (includesSegments ? ["item.input_audio_transcription.segments"] : []))
        }

        /// The session object of the general-availability protocol.
        package func json(id: String) -> JSONValue {
            [
                "type": "transcription", "object": "realtime.transcription_session", "id": .string(id),
                "audio": [
                    "input": [
                        "format": format.json, "transcription": transcription, "noise_reduction": noise,
                        "turn_detection": turnDetection?.json ?? .null,
                    ]
                ],
                "include": included,
            ]
        }

        /// The session object of the beta protocol.
        package func formerJSON(id: String) -> JSONValue {
            [
                "object": "realtime.transcription_session", "id": .string(id), "modalities": ["text"],
                "input_audio_format": .string(format.formerName), "input_audio_transcription": transcription,
                "input_audio_noise_reduction": noise, "turn_detection": turnDetection?.json ?? .null,
                "include": included,
            ]
        }
    }
#endif
