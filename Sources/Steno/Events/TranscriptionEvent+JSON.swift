import Foundation
import StenoCore

extension TranscriptionEvent {
    /// The event as one line of JSON, without a line break.
    ///
    /// It has `type` (the kind's raw value), `sequence`, and `position`, the seconds of audio heard so far; text has
    /// `id`, `utterance`, `start`, `end`, `text` and `words` too, and final text has the remaining `partials`. The end
    /// of an utterance has `utterance`, and `text` is the punctuation after its last final word, if any. Times are
    /// rounded to the millisecond.
    public var jsonLine: String {
        JSONText.object(
            [
                ("type", JSONText.string(kind.rawValue)), ("sequence", String(sequence)),
                ("position", JSONText.time(position)),
            ] + payload.fields)
    }

    /// Reads an event from its line of JSON.
    ///
    /// For a kind that this version does not know, only the name is kept, so that events of later versions can be read.
    /// - Throws: `StenoError.invalidOption` if the line is not an event.
    package init(jsonLine: some StringProtocol) throws {
        do {
            let line = try JSONDecoder().decode(EventLine.self, from: Data(jsonLine.utf8))
            let kind = Kind(rawValue: line.type)
            self.init(kind, try line.payload(kind), position: line.position, sequence: line.sequence ?? 0)
            // Later segments count on from these numbers, so they must not overflow.
            let numbers = (segments + (snapshot?.finals ?? [])).flatMap { [$0.id, $0.utterance] }
            guard numbers.allSatisfy((0..<1 << 53).contains) else {
                throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "A number is out of range."))
            }
        } catch {
            throw StenoError(
                .invalidOption, "This line is not a transcription event: \(jsonLine.prefix(200))", underlying: error)
        }
    }
}

// MARK: - Writing

extension TranscriptionEvent.Payload {
    fileprivate var fields: [(String, String)] {
        switch self {
        case .none: []
        case .text(let text, let segments, let partials):
            Self.fields(text, segments) + (partials.isEmpty ? [] : [("partials", Self.list(partials))])
        case .utterance(let index, let mark):
            [("utterance", String(index))] + (mark.isEmpty ? [] : [("text", JSONText.string(mark))])
        case .level(let level):
            [("rms", JSONText.decibels(level.rms)), ("peak", JSONText.decibels(level.peak))]
        case .speech(let isSpeaking, let time):
            [("speaking", "\(isSpeaking)"), ("time", JSONText.time(time))]
        case .language(let detection):
            [
                ("language", JSONText.string(detection.language)),
                ("probability", JSONText.number(detection.probability)),
            ]
        case .state(let state): [("state", JSONText.string(state.rawValue))]
        case .lag(let seconds): [("lag", JSONText.time(seconds))]
        case .discontinuity(let discontinuity):
            [
                ("kind", JSONText.string(discontinuity.kind.rawValue)),
                ("start", JSONText.time(discontinuity.position.seconds)),
                ("length", JSONText.time(discontinuity.length.seconds)),
            ]
        case .skipped(let span, let reason):
            [
                ("reason", JSONText.string(reason.rawValue)), ("start", JSONText.time(span.lowerBound)),
                ("end", JSONText.time(span.upperBound)),
            ]
        case .hallucination(let action): action.jsonFields
        case .failure(let failure):
            [
                ("message", JSONText.string(failure.message)),
                ("code", failure.code.map(JSONText.string) ?? "null"), ("fatal", "\(failure.isFatal)"),
            ]
        case .speakers(let changes): [("changes", "[" + changes.map(Self.object).joined(separator: ", ") + "]")]
        case .snapshot(let text):
            [
                ("state", JSONText.string(text.state.rawValue)),
                ("language", text.language.map { JSONText.string($0.language) } ?? "null"),
                ("probability", text.language.map { JSONText.number($0.probability) } ?? "null"),
                ("finals", Self.list(text.finals)), ("partials", Self.list(text.partials)),
            ]
        }
    }

    private static func object(_ change: SpeakerChange) -> String {
        JSONText.object([
            ("start", JSONText.time(change.start)), ("end", change.end.map(JSONText.time) ?? "null"),
            ("was", JSONText.string(change.was)), ("now", JSONText.string(change.now)),
        ])
    }

    private static func fields(_ text: String, _ segments: [LiveSegment]) -> [(String, String)] {
        guard let first = segments.first, let last = segments.last else { return [("text", JSONText.string(text))] }
        let whole = [
            ("id", String(first.id)), ("utterance", String(first.utterance)),
            ("start", JSONText.time(first.start)), ("end", JSONText.time(last.end)),
            ("text", JSONText.string(text)), ("words", JSONText.words(segments.flatMap(\.words))),
        ]
        return segments.count == 1 ? whole : whole + [("segments", list(segments))]
    }

    private static func list(_ segments: [LiveSegment]) -> String {
        "[" + segments.map { JSONText.object(fields($0.text, [$0])) }.joined(separator: ", ") + "]"
    }
}

extension JSONText {
    fileprivate static func decibels(_ level: Double) -> String { number((level * 10).rounded() / 10) }
}

// MARK: - Reading

/// The fields of all kinds of lines; which of them a line has depends on its type.
private struct EventLine: Decodable {
    struct SegmentLine: Decodable {
        let id: Int
        let utterance: Int
        let start: Double
        let end: Double
        let text: String
        let words: [Word]

        func segment(isFinal: Bool) -> LiveSegment {
            LiveSegment(
                id: id, start: start, end: end, text: text, isFinal: isFinal, words: words,
                utterance: utterance)
        }
    }

    let type: String
    let sequence: Int?
    let position: Double
    let text: String?
    let id: Int?
    let utterance: Int?
    let start: Double?
    let end: Double?
    let words: [Word]?
    let segments: [SegmentLine]?
    let rms: Double?
    let peak: Double?
    let speaking: Bool?
    let time: Double?
    let language: String?
    let probability: Double?
    let state: TranscriptionState?
    let lag: Double?
    let kind: String?
    let length: Double?
    let reason: String?
    let message: String?
    let code: String?
    let fatal: Bool?
    let finals: [SegmentLine]?
    let partials: [SegmentLine]?
    let changes: [SpeakerChange]?

    func payload(_ kind: TranscriptionEvent.Kind) throws -> TranscriptionEvent.Payload {
        switch kind {
        case .partial, .final:
            .text(
                try some(text, "text"), try segments(isFinal: kind == .final),
                partials: (partials ?? []).map { $0.segment(isFinal: false) })
        case .utteranceEnd: .utterance(try some(utterance, "utterance"), mark: text ?? "")
        case .level: .level(AudioLevel(rms: try some(rms, "rms"), peak: try some(peak, "peak")))
        case .speech: .speech(isSpeaking: try some(speaking, "speaking"), time: try some(time, "time"))
        case .language: .language(try some(detection, "language"))
        case .state: .state(try some(state, "state"))
        case .lag: .lag(try some(lag, "lag"))
        case .discontinuity:
            .discontinuity(
                AudioDiscontinuity(
                    try some(self.kind.flatMap(AudioDiscontinuity.Kind.init(rawValue:)), "kind"),
                    position: try samples(start, "start"), length: try samples(length, "length")))
        case .skipped: .skipped(try span(), SkipReason(rawValue: try some(reason, "reason")))
        case .hallucination:
            .hallucination(
                GuardAction(
                    kind: try some(self.kind.map(GuardAction.Kind.init(rawValue:)), "kind"),
                    start: try some(start, "start"), end: try some(end, "end"), text: try some(text, "text"),
                    reason: try some(reason, "reason")))
        case .error: .failure(failure(try some(message, "message")))
        case .speakers: .speakers(try some(changes, "changes"))
        case .snapshot:
            .snapshot(
                LiveTranscript(
                    finals: try some(finals, "finals").map { $0.segment(isFinal: true) },
                    partials: try some(partials, "partials").map { $0.segment(isFinal: false) },
                    language: detection, position: position, state: try some(state, "state")))
        default: .none
        }
    }

    private var detection: LanguageDetection? {
        language.map { LanguageDetection(language: $0, probability: probability ?? 0) }
    }

    private func segments(isFinal: Bool) throws -> [LiveSegment] {
        if let segments { return segments.map { $0.segment(isFinal: isFinal) } }
        guard let id else { return [] }
        return [
            LiveSegment(
                id: id, start: try some(start, "start"), end: try some(end, "end"),
                text: try some(text, "text"), isFinal: isFinal, words: words ?? [], utterance: utterance ?? 0)
        ]
    }

    private func failure(_ message: String) -> TranscriptionFailure {
        var failure = TranscriptionFailure(message, isFatal: fatal ?? true)
        failure.code = code
        return failure
    }

    private func span() throws -> Range<Double> {
        let start = try some(start, "start"), end = try some(end, "end")
        guard start <= end else { throw Missing(name: "an end after the start") }
        return start..<end
    }

    private func samples(_ seconds: Double?, _ name: String) throws -> Int {
        let count = try some(seconds, name) * Double(AudioFile.sampleRate)
        return try some(Int(exactly: count.rounded()), name)
    }

    private func some<Value>(_ value: Value?, _ name: String) throws -> Value {
        guard let value else { throw Missing(name: name) }
        return value
    }

    private struct Missing: Error {
        let name: String
    }
}
