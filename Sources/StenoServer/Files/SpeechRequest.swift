#if Server
    import Foundation
    import Steno
    import StenoCore
    import StenoVoiceActivity
    import StenoWhisper

    /// A client's validated request for its file.
    struct SpeechRequest: Sendable {
        /// The fields of OpenAI's API that are read; others are ignored.
        static let fields: Set<String> = [
            "model", "language", "languages", "prompt", "keywords", "response_format", "temperature",
            "timestamp_granularities", "include", "stream", "chunking_strategy", KnownSpeakers.namesField,
            KnownSpeakers.recordingsField,
        ]
        static let longFields = [KnownSpeakers.recordingsField: KnownSpeakers.recordingLimit]

        /// The model's name as the client gave it.
        let model: String?
        let format: ResponseFormat
        let isStreamed: Bool
        /// Whether the response has the words with their times.
        let includesWords: Bool
        /// Whether the response has the segments with their times.
        let includesSegments: Bool
        let includesProbabilities: Bool
        /// The voices that the response calls by their names.
        let knownSpeakers: KnownSpeakers
        let options: TranscriptionOptions

        /// - Throws: ``ServerError`` that names the field.
        init(_ form: UploadedForm, task: TranscriptionTask) throws(ServerError) {
            model = form["model"]
            format = try Self.format(form, task)
            knownSpeakers = try KnownSpeakers(form, format)
            let isStreamed = try Self.flag(form, "stream") && task == .transcribe
            self.isStreamed = isStreamed
            guard !isStreamed || format.isStreamable else {
                throw .invalid(
                    "The format \(format.rawValue) cannot be streamed. Use json or text.", parameter: "stream",
                    code: "unsupported_value")
            }
            let granularities = try Self.granularities(form, format)
            includesWords = granularities.contains("word")
            includesSegments = granularities.contains("segment")
            includesProbabilities = try Self.includesProbabilities(form, format)
            var options = TranscriptionOptions(task: task)
            options.language = Self.language(form)
            options.prompt = form["prompt"]
            options.vocabulary = (form.values["keywords"] ?? []).filter { !$0.isEmpty }
            if let temperature = try Self.temperature(form), temperature > 0 {
                options.whisper.temperatures = [temperature]
            }
            options.wordTimestamps = includesWords || includesProbabilities
            if try Self.splitsAtSpeech(form) { options.whisper.voiceActivity = VoiceActivityOptions() }
            self.options = options
        }

        /// The field that requires the times of words; nil if none does.
        var wordTimesField: String? {
            if includesWords { return "timestamp_granularities" }
            if includesProbabilities { return "include" }
            return format == .diarizedJSON ? "response_format" : nil
        }

        // MARK: Fields

        private static func format(_ form: UploadedForm, _ task: TranscriptionTask) throws(ServerError)
            -> ResponseFormat
        {
            guard let name = form["response_format"] else { return .json }
            let formats = ResponseFormat.allCases.filter { task == .transcribe || $0 != .diarizedJSON }
            guard let format = formats.first(where: { $0.rawValue == name.lowercased() }) else {
                throw unsupported("response_format", name, formats.map(\.rawValue))
            }
            return format
        }

        private static func flag(_ form: UploadedForm, _ name: String) throws(ServerError) -> Bool {
            guard let value = form[name] else { return false }
            switch value.lowercased() {
            case "true", "1": return true
            case "false", "0": return false
            default: throw unsupported(name, value, ["true", "false"])
            }
        }

        private static func granularities(
            _ form: UploadedForm, _ format: ResponseFormat
        ) throws(ServerError) -> Set<String> {
            let names = list(form, "timestamp_granularities")
            for name in names where name != "word" && name != "segment" {
                throw unsupported("timestamp_granularities", name, ["word", "segment"])
            }
            guard !names.contains("word") || format == .verboseJSON else {
                throw .invalid(
                    "Word times are in the format verbose_json only.", parameter: "timestamp_granularities",
                    code: "unsupported_value")
            }
            return names.isEmpty ? ["segment"] : Set(names)
        }

        private static func includesProbabilities(
            _ form: UploadedForm, _ format: ResponseFormat
        ) throws(ServerError) -> Bool {
            let names = list(form, "include")
            for name in names where name != "logprobs" { throw unsupported("include", name, ["logprobs"]) }
            guard names.isEmpty || format == .json else {
                throw .invalid("logprobs are in the format json only.", parameter: "include", code: "unsupported_value")
            }
            return !names.isEmpty
        }

        /// The language; nil if several are possible, because the models cannot be limited to a few.
        private static func language(_ form: UploadedForm) -> String? {
            if let language = form["language"] { return language.trimmingWhitespace }
            let possible = list(form, "languages")
            return possible.count == 1 ? possible[0] : nil
        }

        private static func temperature(_ form: UploadedForm) throws(ServerError) -> Double? {
            guard let text = form["temperature"] else { return nil }
            guard let value = Double(text), value >= 0, value <= 1 else {
                throw unsupported("temperature", text, ["a number from 0 to 1"])
            }
            return value
        }

        /// Whether the recording is split at silence.
        private static func splitsAtSpeech(_ form: UploadedForm) throws(ServerError) -> Bool {
            // SDKs send an object as JSON, or as a field for each of its members.
            guard let values = form.values["chunking_strategy"]?.filter({ !$0.isEmpty }), !values.isEmpty else {
                return false
            }
            if values.contains(where: { $0 == "auto" || $0 == "server_vad" || $0.hasPrefix("{") }) { return true }
            throw unsupported("chunking_strategy", values[0], ["auto", "server_vad"])
        }

        /// Values of a list, which may be sent one by one or separated by commas.
        private static func list(_ form: UploadedForm, _ name: String) -> [String] {
            (form.values[name] ?? []).flatMap { $0.split(separator: ",") }.map { $0.lowercased().trimmingWhitespace }
                .filter { !$0.isEmpty }
        }

        private static func unsupported(_ name: String, _ value: String, _ allowed: [String]) -> ServerError {
            .invalid(
                "\(name): “\(value.prefix(60))” is not supported. Supported: \(allowed.joined(separator: ", ")).",
                parameter: name, code: "unsupported_value")
        }
    }

    /// The formats of a response, by OpenAI's names.
    enum ResponseFormat: String, Sendable, CaseIterable {
        case json
        case text
        case srt
        case verboseJSON = "verbose_json"
        case vtt
        case diarizedJSON = "diarized_json"

        var contentType: String {
            switch self {
            case .json, .verboseJSON, .diarizedJSON: "application/json"
            case .text: "text/plain; charset=utf-8"
            case .srt: "application/x-subrip; charset=utf-8"
            case .vtt: "text/vtt; charset=utf-8"
            }
        }

        /// Whether the text can be sent piece by piece: subtitles have no events of their own.
        var isStreamable: Bool { self != .srt && self != .vtt }
    }
#endif
