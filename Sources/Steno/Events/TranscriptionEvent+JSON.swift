
extension TranscriptionEvent {
    /// The event as one line of JSON, without a line break.
    ///
    /// It has `type` (`partial`, `final`, `level`, `speech`, `language`, `state`, `discontinuity`, `guard`, `shed` or
    /// `error`) and `position`, the seconds of audio received so far; text has `id`, `start`, `end`, `text`,
    /// `utterance` and `words` too.
    public var jsonLine: String {
        JSONText.object([("type", JSONText.string(type)), ("position", JSONText.time(position))] + fields)
    }

    private var type: String {
        switch self {
        case .partial: "partial"
        case .final: "final"
        case .audioLevel: "level"
        case .speech: "speech"
        case .language: "language"
        case .stateChange: "state"
        case .discontinuity: "discontinuity"
        case .shed: "shed"
        case .guarded: "guard"
        case .error: "error"
        }
    }

    private var fields: [(String, String)] {
        switch self {
        case .partial(let text, let segments, _), .final(let text, let segments, _):
            return Self.fields(text, segments)
        case .audioLevel(let level, _):
            return [("rms", JSONText.decibels(level.rms)), ("peak", JSONText.decibels(level.peak))]
        case .speech(let isSpeaking, let time, _):
            return [("speaking", "\(isSpeaking)"), ("time", JSONText.time(time))]
        case .language(let detection, _):
            return [
                ("language", JSONText.string(detection.language)),
                ("probability", JSONText.number(detection.probability)),
            ]
        case .stateChange(let state, _): return state.fields
        case .discontinuity(let discontinuity, _):
            return [
                ("kind", JSONText.string(discontinuity.kind.rawValue)),
                ("start", JSONText.time(discontinuity.position.seconds)),
                ("length", JSONText.time(discontinuity.length.seconds)),
            ]
        case .shed(let span, _):
            return [("start", JSONText.time(span.lowerBound)), ("end", JSONText.time(span.upperBound))]
        case .guarded(let action, _): return action.jsonFields
        case .error(let failure, _): return [("message", JSONText.string(failure.description))]
        }
    }

    private static func fields(_ text: String, _ segments: [TranscriptSegment]) -> [(String, String)] {
        guard let first = segments.first, let last = segments.last else { return [("text", JSONText.string(text))] }
        return [
            ("id", String(first.id)), ("utterance", String(first.utterance)),
            ("start", JSONText.time(first.startTime)), ("end", JSONText.time(last.endTime)),
            ("text", JSONText.string(text)), ("words", JSONText.words(segments.flatMap(\.words))),
        ]
    }
}

extension TranscriptionState {
    fileprivate var fields: [(String, String)] {
        switch self {
        case .behind(let seconds): [("state", JSONText.string(name)), ("lag", JSONText.time(seconds))]
        default: [("state", JSONText.string(name))]
        }
    }

    /// The state as one word.
    public var name: String {
        switch self {
        case .idle: "idle"
        case .preparing: "preparing"
        case .running: "running"
        case .behind: "behind"
        case .finishing: "finishing"
        case .finished: "finished"
        case .cancelled: "cancelled"
        case .failed: "failed"
        }
    }
}

extension JSONText {
    fileprivate static func decibels(_ level: Double) -> String { number((level * 10).rounded() / 10) }
}
