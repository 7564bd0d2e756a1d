import StenoCore

/// Writes a transcript as JSON: openai-whisper's names in its order, one segment per line, times rounded to
/// milliseconds.
///
/// Written by hand, because an encoder would keep neither the order of the keys nor the short form of the times.
enum JSONWriter {
    static func write(_ transcript: Transcript) -> String {
        var fields: [(String, String)] = [
            ("text", JSONText.string(transcript.text)),
            ("language", JSONText.string(transcript.language)),
            ("language_probability", JSONText.number(transcript.languageProbability)),
            ("duration", JSONText.time(transcript.duration)),
        ]
        if let speech = transcript.durationAfterVoiceActivity {
            fields.append(("duration_after_vad", JSONText.time(speech)))
        }
        let speakers = transcript.speakers
        if !speakers.isEmpty {
            fields.append(("speakers", "[" + speakers.map(JSONText.string).joined(separator: ", ") + "]"))
        }
        fields.append(("segments", lines(transcript.segments.map(object))))
        if let guards = transcript.guards {
            fields.append(("guards", lines(guards.map { JSONText.object($0.jsonFields) })))
        }
        if let warnings = transcript.warnings {
            let objects = warnings.map {
                JSONText.object([
                    ("code", JSONText.string("\($0.code)")), ("message", JSONText.string($0.message)),
                ])
            }
            fields.append(("warnings", lines(objects)))
        }
        return "{\n" + fields.map { "  \(JSONText.string($0)): \($1)" }.joined(separator: ",\n") + "\n}\n"
    }

    private static func lines(_ objects: [String]) -> String {
        objects.isEmpty ? "[]" : "[\n    " + objects.joined(separator: ",\n    ") + "\n  ]"
    }

    private static func object(_ segment: Segment) -> String {
        var fields: [(String, String)] = [
            ("id", String(segment.id)),
            ("start", JSONText.time(segment.start)),
            ("end", JSONText.time(segment.end)),
            ("text", JSONText.string(segment.text)),
        ]
        if let details = segment.whisper {
            fields.insert(("seek", String(details.seek)), at: 1)
            fields += [
                ("tokens", "[" + details.tokens.map(String.init).joined(separator: ", ") + "]"),
                ("temperature", JSONText.number(details.temperature)),
                ("avg_logprob", JSONText.number(details.averageLogProbability)),
                ("compression_ratio", JSONText.number(details.compressionRatio)),
                ("no_speech_prob", JSONText.number(details.noSpeechProbability)),
            ]
        }
        if let language = segment.language { fields.append(("language", JSONText.string(language))) }
        if let speaker = segment.speaker { fields.append(("speaker", JSONText.string(speaker))) }
        if let words = segment.words {
            fields.append(("words", JSONText.words(words)))
        }
        return JSONText.object(fields)
    }
}
