#if Server
    /// The formats of a response, by OpenAI's names.
    enum ResponseFormat: String, Sendable, CaseIterable {
        case json
        case text
        case srt
        case verboseJSON = "verbose_json"
        case vtt
        case diarizedJSON = "diarized_json"

        /// The header `Content-Type`.
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
