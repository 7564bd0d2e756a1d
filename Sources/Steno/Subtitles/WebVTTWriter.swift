import StenoCore

/// Writes WebVTT (https://www.w3.org/TR/webvtt1): a heading, then cues, with hours only if needed.
///
/// `&` and `<` in the text are escaped. openai-whisper does not escape them, so `a <b> c` loses a word in a browser;
/// otherwise the files are the same.
struct WebVTTWriter {
    let options: SubtitleOptions

    /// The beginning of a file.
    static let heading = "WEBVTT\n\n"

    func write(_ transcript: Transcript) -> String { Self.heading + write(transcript.cues(options)) }

    func write(_ cues: some Sequence<Cue>) -> String {
        cues.lazy.flatMap(shown).map { cue in
            "\(Timestamp.format(cue.start)) --> \(Timestamp.format(cue.end))\n\(cue.text.withoutArrows)\n\n"
        }.joined()
    }

    private func shown(_ cue: Cue) -> [ShownText] {
        // A voice span (WebVTT 1, 3.4) needs no end when it is the whole cue.
        let voice = cue.speaker.map {
            "<v \(escaped($0.collapsingWhitespace.withoutArrows).replacing(">", with: "&gt;"))>"
        }
        return texts(cue).map { $0.with(prefix: voice ?? "") }
    }

    private func texts(_ cue: Cue) -> [ShownText] {
        switch options.highlight {
        case .none: [ShownText(start: cue.start, end: cue.end, text: cue.text { escaped($0.text) })]
        case .underline: UnderlinedCues.of(cue, dropsEmpty: options.splitting != nil, escaped)
        case .karaoke: [ShownText(start: cue.start, end: cue.end, text: karaoke(cue))]
        }
    }

    /// Each word as an element, preceded by its time.
    ///
    /// The style of words still to come is up to the page: `::cue(c:future) { color: #b8b8b8 }`. A style in the file
    /// would make ffmpeg 5 lose all cues, because it stops reading there. The format requires increasing times within
    /// the cue; a word with another time is shown with the previous word.
    private func karaoke(_ cue: Cue) -> String {
        var last = Timestamp.milliseconds(cue.start)
        return cue.text { word in
            let start = Timestamp.milliseconds(word.start)
            let isLater = start > last && start < Timestamp.milliseconds(cue.end)
            if isLater { last = start }
            let (space, text) = escaped(word.text).splitLeadingWhitespace
            return space + (isLater ? "<\(Timestamp.format(word.start))>" : "") + "<c>\(text)</c>"
        }
    }

    private func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
