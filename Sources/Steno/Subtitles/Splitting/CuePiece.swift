import StenoCore

/// The smallest text between two possible line ends: a word with the characters attached to it, or in scripts without
/// spaces a few characters with the punctuation that must stay with them.
struct CuePiece {
    /// The words in it, without the space before the first.
    private(set) var words: [CueWord]
    /// Whether a space precedes it, unless it begins a line.
    let hasSpaceBefore: Bool
    let startsSegment: Bool
    /// Its columns, without the space before it.
    private(set) var width: Int

    init(_ word: CueWord, hasSpaceBefore: Bool, startsSegment: Bool) {
        words = [word]
        self.hasSpaceBefore = hasSpaceBefore
        self.startsSegment = startsSegment
        width = TextWidth.of(word.text)
    }

    var text: String { words.map(\.text).joined() }
    var start: Double { words.first?.start ?? 0 }
    var end: Double { words.last?.end ?? 0 }

    /// Appends a piece that must not be separated from this one, without a space.
    mutating func join(_ next: CuePiece) {
        words += next.words
        width += next.width
    }
}

extension CuePiece {
    /// Divides the words of segments into pieces, none of them empty.
    static func pieces(of segments: [[Word]], limits: ReadingLimits) -> [CuePiece] {
        var pieces: [CuePiece] = []
        for words in segments {
            var startsSegment = true, isAfterSpace = true
            for word in words.flatMap({ divided($0, limits) }) {
                let text = word.rawText.collapsingWhitespace
                guard !text.isEmpty else {
                    isAfterSpace = true
                    continue
                }
                let hasSpace = isAfterSpace || word.rawText.unicodeScalars.first?.isPythonSpace == true
                isAfterSpace = word.rawText.unicodeScalars.last?.isPythonSpace == true
                let isUnspaced = pieces.last.map { LineEnd.isUnspaced($0.text, text) } ?? false
                let piece = CuePiece(
                    CueWord(text: text, start: word.start, end: word.end),
                    hasSpaceBefore: hasSpace && !(startsSegment && isUnspaced), startsSegment: startsSegment)
                pieces.add(piece, limits)
                startsSegment = false
            }
        }
        return pieces
    }

    /// Cuts a word that is longer than a line, if its script allows it.
    private static func divided(_ word: Word, _ limits: ReadingLimits) -> [Word] {
        TextWidth.of(word.rawText) > limits.lineWidth ? word.divided() : [word]
    }
}

extension [CuePiece] {
    fileprivate mutating func add(_ piece: CuePiece, _ limits: ReadingLimits) {
        if let last, !piece.hasSpaceBefore, !piece.startsSegment, !LineEnd.isAllowed(between: last.text, piece.text),
            last.width + piece.width <= limits.lineWidth, piece.end - last.start <= limits.maxDuration
        {
            self[count - 1].join(piece)
        } else {
            append(piece)
        }
    }
}

/// Measures a transcript once, so that any stretch of its pieces can be judged in constant time.
struct CueMeasures {
    let pieces: [CuePiece]
    let limits: ReadingLimits
    let breaks: BreakCosts
    /// The columns before each piece, including the space before it.
    private let columns: [Int]
    private let spaces: [Int]

    init(_ pieces: [CuePiece], limits: ReadingLimits, breaks: BreakCosts) {
        self.pieces = pieces
        self.limits = limits
        self.breaks = breaks
        spaces = pieces.map { $0.hasSpaceBefore ? 1 : 0 }
        columns = zip(pieces, spaces).reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.0.width + $1.1) }
    }

    func columns(_ range: Range<Int>) -> Int {
        columns[range.upperBound] - columns[range.lowerBound] - spaces[range.lowerBound]
    }

    /// Whether these pieces fit into a line; a single piece always does.
    func fits(_ range: Range<Int>) -> Bool { range.count == 1 || columns(range) <= limits.lineWidth }

    /// The end of the longest cue that begins with a piece, if only its duration is limited.
    func end(from first: Int) -> Int {
        let start = pieces[first].start
        var end = first + 1
        while end < pieces.count, pieces[end].end - start <= limits.maxDuration { end += 1 }
        return end
    }
}
