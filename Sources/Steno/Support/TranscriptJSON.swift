import StenoCore

extension JSONText {
    /// A transcript: openai-whisper's names in its order, one segment per line, times rounded to milliseconds.
    static func transcript(_ transcript: Transcript) -> String {
        var fields: [(String, String)] = [
            ("text", string(transcript.text)),
            ("language", string(transcript.language)),
            ("language_probability", number(transcript.languageProbability)),
            ("duration", time(transcript.duration)),
        ]
        if let speech = transcript.durationAfterVoiceActivity {
            fields.append(("duration_after_vad", time(speech)))
        }
        let speakers = transcript.speakers
        if !speakers.isEmpty { fields.append(("speakers", array(speakers.map(string)))) }
        fields.append(("segments", arrayLines(transcript.segments.map(segment), indent: "  ")))
        if let guards = transcript.guards {
            fields.append(("guards", arrayLines(guards.map { object($0.jsonFields) }, indent: "  ")))
        }
        if let warnings = transcript.warnings {
            let objects = warnings.map { object([("code", string("\($0.code)")), ("message", string($0.message))]) }
            fields.append(("warnings", arrayLines(objects, indent: "  ")))
        }
        return objectLines(fields) + "\n"
    }

    private static func segment(_ segment: Segment) -> String {
        var fields: [(String, String)] = [
            ("id", String(segment.id)),
            ("start", time(segment.start)),
            ("end", time(segment.end)),
            ("text", string(segment.text)),
        ]
        if let details = segment.whisper {
            fields.insert(("seek", String(details.seek)), at: 1)
            fields += [
                ("tokens", array(details.tokens.map(String.init))),
                ("temperature", number(details.temperature)),
                ("avg_logprob", number(details.averageLogProbability)),
                ("compression_ratio", number(details.compressionRatio)),
                ("no_speech_prob", number(details.noSpeechProbability)),
            ]
        }
        if let language = segment.language { fields.append(("language", string(language))) }
        if let speaker = segment.speaker { fields.append(("speaker", string(speaker))) }
        if let spoken = segment.words { fields.append(("words", words(spoken))) }
        return object(fields)
    }

    package static func words(_ words: [Word]) -> String {
        array(
            words.map {
                object(
                    [
                        ("word", string($0.rawText)), ("start", time($0.start)), ("end", time($0.end)),
                        ("probability", number($0.probability)),
                    ] + ($0.speaker.map { [("speaker", string($0))] } ?? []))
            })
    }
}

extension GuardAction {
    package var jsonFields: [(String, String)] {
        [
            ("kind", JSONText.string(kind.rawValue)), ("start", JSONText.time(start)), ("end", JSONText.time(end)),
            ("text", JSONText.string(text)), ("reason", JSONText.string(reason)),
        ]
    }
}
