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

    /// The columns of these pieces in one line.
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
