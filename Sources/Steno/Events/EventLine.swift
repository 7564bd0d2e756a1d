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
            self = try JSONDecoder().decode(EventLine.self, from: Data(jsonLine.utf8)).event
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
        case .cleared, .unknown: []
        case .partial(let text, let segments): Self.fields(text, segments)
        case .final(let text, let segments, let partials):
            Self.fields(text, segments) + (partials.isEmpty ? [] : [("partials", Self.list(partials))])
        case .utteranceEnd(let index, let mark):
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
        case .error(let failure):
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

private struct EventLine: Decodable {
    let event: TranscriptionEvent

    init(from decoder: any Decoder) throws {
        let fields = try EventFields(decoder)
        event = TranscriptionEvent(
            try fields.payload(TranscriptionEvent.Kind(rawValue: fields[.type])), position: try fields[.position],
            sequence: try fields[ifPresent: .sequence] ?? 0)
    }
}

/// The fields of a line; which of them it has depends on its type.
private struct EventFields {
    enum Name: CodingKey {
        case type, sequence, position, id, text, segments, partials, utterance, speaking, time, language, probability
        case state, lag, kind, start, end, length, reason, message, code, fatal, changes, finals
    }

    private struct SegmentLine: Decodable {
        let id: Int
        let utterance: Int?
        let start: Double
        let end: Double
        let text: String
        let words: [Word]?
    }

    private let decoder: any Decoder
    private let fields: KeyedDecodingContainer<Name>

    init(_ decoder: any Decoder) throws {
        self.decoder = decoder
        fields = try decoder.container(keyedBy: Name.self)
    }

    subscript<Value: Decodable>(_ name: Name) -> Value { get throws { try fields.decode(Value.self, forKey: name) } }

    subscript<Value: Decodable>(ifPresent name: Name) -> Value? {
        get throws { try fields.decodeIfPresent(Value.self, forKey: name) }
    }

    func payload(_ kind: TranscriptionEvent.Kind) throws -> TranscriptionEvent.Payload {
        switch kind {
        case .partial: .partial(text: try self[.text], segments: try ownSegments(isFinal: false))
        case .final:
            .final(
                text: try self[.text], segments: try ownSegments(isFinal: true),
                partials: try segments(self[ifPresent: .partials] ?? [], isFinal: false))
        case .utteranceEnd: .utteranceEnd(try self[.utterance], mark: try self[ifPresent: .text] ?? "")
        case .level: .level(try AudioLevel(from: decoder))
        case .speech: .speech(isSpeaking: try self[.speaking], time: try self[.time])
        case .language: .language(try detection(self[.language]))
        case .state: .state(try self[.state])
        case .lag: .lag(try self[.lag])
        case .discontinuity:
            .discontinuity(
                AudioDiscontinuity(
                    AudioDiscontinuity.Kind(rawValue: try self[.kind]), position: try samples(.start),
                    length: try samples(.length)))
        case .skipped: .skipped(try span(self[.start], self[.end]), SkipReason(rawValue: try self[.reason]))
        case .hallucination: .hallucination(try GuardAction(from: decoder))
        case .error:
            .error(
                TranscriptionFailure(
                    message: try self[.message], code: try self[ifPresent: .code],
                    isFatal: try self[ifPresent: .fatal] ?? true))
        case .speakers: .speakers(try self[.changes])
        case .snapshot:
            .snapshot(
                LiveTranscript(
                    finals: try segments(self[.finals], isFinal: true),
                    partials: try segments(self[.partials], isFinal: false),
                    language: try self[ifPresent: .language].map(detection), position: try self[.position],
                    state: try self[.state]))
        case .cleared: .cleared
        default: .unknown(kind)
        }
    }

    private func detection(_ language: String) throws -> LanguageDetection {
        LanguageDetection(language: language, probability: try self[ifPresent: .probability] ?? 0)
    }

    /// The segments of a text; a line with one segment has that segment's fields.
    private func ownSegments(isFinal: Bool) throws -> [LiveSegment] {
        if let list: [SegmentLine] = try self[ifPresent: .segments] { return segments(list, isFinal: isFinal) }
        return segments(fields.contains(.id) ? [try SegmentLine(from: decoder)] : [], isFinal: isFinal)
    }

    private func segments(_ lines: [SegmentLine], isFinal: Bool) -> [LiveSegment] {
        lines.map {
            LiveSegment(
                id: $0.id, start: $0.start, end: $0.end, text: $0.text, isFinal: isFinal, words: $0.words ?? [],
                utterance: $0.utterance ?? 0)
        }
    }

    private func span(_ start: Double, _ end: Double) throws -> Range<Double> {
        guard start <= end else { throw invalid(.end, "The end is before the start.") }
        return start..<end
    }

    private func samples(_ name: Name) throws -> Int {
        let seconds: Double = try self[name]
        guard let whole = Int(exactly: (seconds * Double(AudioFile.sampleRate)).rounded()) else {
            throw invalid(name, "The time is out of range.")
        }
        return whole
    }

    private func invalid(_ name: Name, _ problem: String) -> DecodingError {
        DecodingError.dataCorruptedError(forKey: name, in: fields, debugDescription: problem)
    }
}
