/// A subtitle: the text shown between two times.
public struct Cue: Sendable, Hashable {
    /// The time at which it appears, in seconds from the start of the audio.
    public var start: Double
    /// The time at which it disappears, in seconds.
    public var end: Double
    /// Its lines from top to bottom, each a list of words.
    package var lines: [[CueWord]]
    /// Who speaks, if that is known.
    package var speaker: String?

    package init(start: Double, end: Double, lines: [[CueWord]]) {
        self.start = start
        self.end = end
        self.lines = lines
    }

    /// The text, with line feeds between its lines.
    public var text: String { text { $0.text } }

    package var words: [CueWord] { lines.flatMap { $0 } }

    func text(_ change: (CueWord) -> String) -> String {
        lines.map { line in line.map(change).joined() }.joined(separator: "\n")
    }
}

package struct CueWord: Sendable, Hashable {
    /// The word, with a space before it if it needs one.
    package var text: String
    /// When it begins, in seconds.
    package var start: Double
    /// When it ends, in seconds.
    package var end: Double
}

extension String {
    /// The string without arrows, which separate the times of a cue and must not occur in its text.
    ///
    /// Scalars are compared, because an accent on the arrow's head would hide it from a comparison of characters.
    var withoutArrows: String { String(unicodeScalars.replacing("-->".unicodeScalars, with: "->".unicodeScalars)) }

    /// The string without the white space around it, as defined by Python's `str.strip`.
    var strippingWhitespace: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.isPythonSpace }),
            let last = scalars.lastIndex(where: { !$0.isPythonSpace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// The white space a string begins with, and the rest.
    var splitLeadingWhitespace: (space: String, rest: String) {
        let rest = unicodeScalars.drop(while: \.isPythonSpace)
        return (String(unicodeScalars[..<rest.startIndex]), String(rest))
    }

    /// The string with every run of white space as one space, and none around it.
    var collapsingWhitespace: String {
        unicodeScalars.split(whereSeparator: \.isPythonSpace).map { String($0) }.joined(separator: " ")
    }
}

extension Unicode.Scalar {
    /// Whether this is white space in Unicode, or one of the four ASCII separators that only Python counts.
    var isPythonSpace: Bool { properties.isWhitespace || (0x1C...0x1F).contains(value) }
}

/// A text with the times between which it is shown.
struct ShownText {
    var start: Double
    var end: Double
    var text: String

    func with(prefix: String) -> ShownText { ShownText(start: start, end: end, text: prefix + text) }
}

/// Splits a cue into one cue per word, in which that word is underlined (openai-whisper's `highlight_words`).
enum UnderlinedCues {
    /// Cuts a cue at its words' times; between words its text is shown without an underline.
    ///
    /// - Parameters:
    ///   - dropsEmpty: Whether words without duration get no cue; openai-whisper writes an empty one.
    ///   - spell: Escapes a word for the format.
    static func of(_ cue: Cue, dropsEmpty: Bool, _ spell: (String) -> String) -> [ShownText] {
        var shown: [ShownText] = []
        var last = cue.start
        func show(until end: Double, _ text: String) { shown.append(ShownText(start: last, end: end, text: text)) }
        let plain = cue.text { spell($0.text) }
        for (number, word) in cue.words.enumerated() where !dropsEmpty || !isSame(word.start, word.end) {
            if !isSame(last, word.start) { show(until: word.start, plain) }
            last = word.start
            var index = -1
            show(
                until: word.end,
                cue.text {
                    index += 1
                    return index == number ? underlined(spell($0.text)) : spell($0.text)
                })
            last = word.end
        }
        if !isSame(last, cue.end) { show(until: cue.end, plain) }
        return shown
    }

    /// Whether two times are equal as written.
    private static func isSame(_ first: Double, _ second: Double) -> Bool {
        Timestamp.milliseconds(first) == Timestamp.milliseconds(second)
    }

    /// `re.sub(r"^(\s*)(.*)$", r"\1<u>\2</u>", word)`: a word of several lines stays as it is.
    private static func underlined(_ word: String) -> String {
        let (space, text) = word.splitLeadingWhitespace
        let scalars = text.unicodeScalars
        let end = scalars.last == "\n" ? scalars.index(before: scalars.endIndex) : scalars.endIndex
        guard !scalars[..<end].contains("\n") else { return word }
        return space + "<u>" + String(scalars[..<end]) + "</u>" + String(scalars[end...])
    }
}
