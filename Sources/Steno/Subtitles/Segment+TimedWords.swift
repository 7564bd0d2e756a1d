import StenoCore

extension Segment {
    /// The words with their times, which are estimated in a segment without them (``Word/divided()``).
    var timedWords: [Word] {
        if let words, !words.isEmpty { return words }
        guard !text.strippingWhitespace.isEmpty else { return [] }
        return Word(rawText: text, start: start, end: end, probability: 0).divided()
    }
}

extension Word {
    /// The word, or text, cut before its spaces and around every character of a script without spaces.
    ///
    /// Each piece gets time in proportion to its width: an estimate, accurate to a few tenths of a second for even
    /// speech.
    func divided() -> [Word] {
        let pieces = rawText.breakablePieces
        let widths = pieces.map { Double(TextWidth.of($0)) }
        let total = max(1, widths.reduce(0, +))
        let length = max(0, end - start)
        var before = 0.0
        return zip(pieces, widths).map { piece, width in
            defer { before += width }
            var part = self
            part.rawText = piece
            part.start = start + length * before / total
            part.end = start + length * (before + width) / total
            return part
        }
    }
}

extension String {
    /// The pieces between which a line may end; white space belongs to the piece after it, or ends the text.
    var breakablePieces: [String] {
        var pieces: [String] = []
        var isSpace = false, isJoinable = false
        for character in self {
            let first = character.unicodeScalars.first
            let startsSpace = first?.isPythonSpace == true
            let isUnspaced = first.map(UnspacedScript.contains) == true
            if let last = pieces.indices.last, isSpace || isJoinable && !startsSpace && !isUnspaced {
                pieces[last].append(character)
            } else {
                pieces.append(String(character))
            }
            isSpace = startsSpace
            isJoinable = !startsSpace && !isUnspaced
        }
        if isSpace, pieces.count > 1 {
            let space = pieces.removeLast()
            pieces[pieces.count - 1] += space
        }
        return pieces
    }
}
