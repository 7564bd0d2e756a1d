/// A text with the times between which it is shown.
struct ShownText {
    var start: Double
    var end: Double
    var text: String

    /// The text after a prefix.
    func with(prefix: String) -> ShownText { ShownText(start: start, end: end, text: prefix + text) }
}

/// Splits a cue into one cue per word, in which that word is underlined (openai-whisper's `highlight_words`).
enum UnderlinedCues {
    /// Cuts a cue at its words' times; between words its text is shown without an underline.
    ///
    /// - Parameters:
    ///   - cue: The cue.
    ///   - dropsEmpty: Whether words without duration get no cue; openai-whisper writes an empty one.
    ///   - spell: Escapes a word for the format.
    static func of(_ cue: Cue, dropsEmpty: Bool, _ spell: (String) -> String) -> [ShownText] {
        var shown: [ShownText] = []
        var last = cue.start
        func show(until end: Double, _ text: String) {
            shown.append(ShownText(start: last, end: end, text: text))
        }
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
