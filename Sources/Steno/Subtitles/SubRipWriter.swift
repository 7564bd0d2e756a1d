import StenoCore

/// Writes SubRip: numbered cues, hours always, a comma before the milliseconds.
struct SubRipWriter {
    let options: SubtitleOptions

    func write(_ transcript: Transcript) -> String { write(transcript.cues(options)) }

    /// Writes cues, numbered from a given one.
    func write(_ cues: some Sequence<Cue>, first: Int = 1) -> String {
        cues.lazy.flatMap(shown).enumerated().map { index, cue in
            "\(first + index)\n\(time(cue.start)) --> \(time(cue.end))\n\(cue.text.withoutArrows)\n\n"
        }.joined()
    }

    /// The number of entries written for cues.
    func count(_ cues: some Sequence<Cue>) -> Int { cues.reduce(0) { $0 + shown($1).count } }

    private func shown(_ cue: Cue) -> [ShownText] {
        let shown =
            options.highlight == .underline
            ? UnderlinedCues.of(cue, dropsEmpty: options.splitting != nil) { $0 }
            : [ShownText(start: cue.start, end: cue.end, text: cue.text)]
        return shown.map { $0.with(prefix: SpeakerPrefix.of(cue.speaker)) }
    }

    private func time(_ seconds: Double) -> String {
        Timestamp.format(seconds, alwaysHours: true, decimalMark: ",")
    }
}
