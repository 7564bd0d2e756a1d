import StenoCore

/// Writes SubRip: numbered cues, hours always, a comma before the milliseconds.
struct SubRipWriter {
    let options: SubtitleOptions

    func write(_ transcript: Transcript) -> String {
        var shown = transcript.cues(options).flatMap { cue in
            options.highlight == .underline
                ? UnderlinedCues.of(cue, dropsEmpty: options.splitting != nil) { $0 }
                : [ShownText(start: cue.start, end: cue.end, text: cue.text)]
        }
        for index in shown.indices { shown[index].text = shown[index].text.withoutArrows }
        return shown.enumerated().map { index, cue in
            "\(index + 1)\n\(time(cue.start)) --> \(time(cue.end))\n\(cue.text)\n\n"
        }.joined()
    }

    private func time(_ seconds: Double) -> String {
        Timestamp.format(seconds, alwaysHours: true, decimalMark: ",")
    }
}
