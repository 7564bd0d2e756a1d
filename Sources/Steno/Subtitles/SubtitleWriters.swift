import StenoCore

/// Writes WebVTT (https://www.w3.org/TR/webvtt1): a heading, then cues, with hours only if needed.
///
/// `&` and `<` in the text are escaped. openai-whisper does not escape them, so `a <b> c` loses a word in a browser;
/// otherwise the files are the same.
struct WebVTTWriter {
    let options: SubtitleOptions
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

    private func escaped(_ text: String) -> String { text.replacing("&", with: "&amp;").replacing("<", with: "&lt;") }
}

/// Writes SubRip: numbered cues, hours always, a comma before the milliseconds.
struct SubRipWriter {
    let options: SubtitleOptions

    func write(_ transcript: Transcript) -> String { write(transcript.cues(options)) }

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

    private func time(_ seconds: Double) -> String { Timestamp.format(seconds, alwaysHours: true, decimalMark: ",") }
}

/// Writes times as in subtitles: `01:02.500`, and `01:01:02.500` from the first hour on.
public enum Timestamp {
    /// Writes seconds as `[hh:]mm:ss.mmm`, rounded to the millisecond (half to even, as in Python).
    ///
    /// - Parameters:
    ///   - seconds: A time; a negative time is written as 0.
    ///   - alwaysHours: Whether to write hours even if they are 0.
    ///   - decimalMark: The character before the milliseconds.
    public static func format(_ seconds: Double, alwaysHours: Bool = false, decimalMark: String = ".") -> String {
        let (wholeSeconds, fraction) = milliseconds(seconds).quotientAndRemainder(dividingBy: 1000)
        let (wholeMinutes, second) = wholeSeconds.quotientAndRemainder(dividingBy: 60)
        let (hour, minute) = wholeMinutes.quotientAndRemainder(dividingBy: 60)
        let hours = alwaysHours || hour > 0 ? padded(hour, to: 2) + ":" : ""
        return hours + padded(minute, to: 2) + ":" + padded(second, to: 2) + decimalMark + padded(fraction, to: 3)
    }

    /// The nearest whole millisecond; 0 for values that do not fit, such as infinity.
    static func milliseconds(_ seconds: Double) -> Int {
        Int(exactly: (seconds * 1000).rounded(.toNearestOrEven)).map { max(0, $0) } ?? 0
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// The speaker's name before the text, for formats without a field for it.
enum SpeakerPrefix {
    /// `Speaker 1: `, or nothing if the speaker is not known.
    static func of(_ speaker: String?) -> String { speaker.map { $0.collapsingWhitespace.withoutArrows + ": " } ?? "" }
}
