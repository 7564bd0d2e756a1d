import Steno

extension EvaluationResult {
    /// The result as JSON, with the totals first and then one line per file; ``load(_:)`` reads it.
    ///
    /// - Parameter comparison: A comparison to include.
    public func json(_ comparison: EvaluationComparison? = nil) -> String {
        var fields: [(String, String)] = [
            ("steno", JSONText.string(StenoVersion.current)),
            ("model", model.map(JSONText.string) ?? "null"),
            ("normalizer", JSONText.string(normalization.rawValue)),
            ("duration", JSONText.time(duration)),
            ("speed", JSONText.optional(speed)),
        ]
        fields += EvaluationMetric.allCases.map { ($0.rawValue, json($0)) }
        fields += speakerFields
        if let comparison { fields.append(("comparison", comparison.json)) }
        fields.append(("failures", JSONText.array(failures.map(JSONText.string))))
        fields.append(("files", "[\n    " + files.map(\.json).joined(separator: ",\n    ") + "\n  ]"))
        return JSONText.objectLines(fields) + "\n"
    }

    private var speakerFields: [(String, String)] {
        guard let diarization else { return [] }
        let total = speakerTotal
        return [
            ("diarization_scoring", diarization.json),
            ("der", JSONText.optional(total.diarization?.rate)),
            ("cp_wer", JSONText.optional(total.words?.concatenated.rate)),
            ("wrong_speaker_rate", JSONText.optional(total.words?.wrongSpeakerRate)),
            ("speaker_counts_right", String(speakerCountsRight)),
        ]
    }

    private func json(_ metric: EvaluationMetric) -> String {
        let total = total(metric)
        return JSONText.object([
            ("rate", JSONText.optional(rate(metric))), ("interval", JSONText.interval(interval(metric))),
            ("total", total.json),
        ])
    }
}

extension EvaluationComparison {
    fileprivate var json: String {
        JSONText.object(
            [("files", String(fileCount))]
                + differences.map { difference in
                    let fields = [
                        ("before", JSONText.number(difference.before)), ("after", JSONText.number(difference.after)),
                        ("change", JSONText.number(difference.change)),
                        ("interval", JSONText.interval(difference.interval)),
                    ]
                    return (difference.metric.rawValue, JSONText.object(fields))
                })
    }
}

extension EvaluatedFile {
    fileprivate var json: String {
        let speakers = speakers.map { [("speakers", $0.json)] } ?? []
        return JSONText.object(
            [
                ("file", JSONText.string(file)), ("language", language.map(JSONText.string) ?? "null"),
                ("duration", duration.map(JSONText.time) ?? "null"), ("elapsed", elapsed.map(JSONText.time) ?? "null"),
                ("wer", JSONText.optional(words.rate)), ("words", words.json),
                ("cer", JSONText.optional(characters.rate)), ("characters", characters.json),
                ("reference", JSONText.string(reference)), ("hypothesis", JSONText.string(hypothesis)),
                ("normalized_reference", JSONText.string(normalizedReference)),
                ("normalized_hypothesis", JSONText.string(normalizedHypothesis)),
            ] + speakers)
    }
}

extension DiarizationScoring {
    fileprivate var json: String {
        JSONText.object([("collar", JSONText.number(collar)), ("skips_overlap", String(skipsOverlap))])
    }
}

extension SpeakerErrors {
    fileprivate var json: String {
        var fields = [("speakers", String(speakers)), ("found", String(found))]
        if let diarization {
            let seconds = [
                ("total", diarization.total), ("missed", diarization.missed),
                ("false_alarm", diarization.falseAlarm), ("confusion", diarization.confusion),
            ]
            fields.append(("der", JSONText.optional(diarization.rate)))
            fields.append(("diarization", JSONText.object(seconds.map { ($0, JSONText.number($1)) })))
        }
        if let words {
            let counts = [
                ("cp_words", words.concatenated.json), ("aligned", String(words.aligned)),
                ("wrong_speaker", String(words.wrongSpeaker)),
            ]
            fields.append(("cp_wer", JSONText.optional(words.concatenated.rate)))
            fields.append(("words", JSONText.object(counts)))
        }
        return JSONText.object(fields)
    }
}

extension ErrorCounts {
    fileprivate var json: String {
        JSONText.object([
            ("hits", String(hits)), ("substitutions", String(substitutions)), ("deletions", String(deletions)),
            ("insertions", String(insertions)),
        ])
    }
}

extension JSONText {
    fileprivate static func optional(_ value: Double?) -> String { value.map(number) ?? "null" }

    fileprivate static func interval(_ interval: ConfidenceInterval?) -> String {
        interval.map { array([number($0.low), number($0.high)]) } ?? "null"
    }
}
