/// One column of the table of edit distances as differences between neighbours, 64 rows per word (Hyyrö 2003).
struct EditColumn {
    /// Rows whose distance is one more than that of the row above, and rows where it is one less.
    private var increases: [UInt64]
    private var decreases: [UInt64]

    /// The first column, for an empty hypothesis: each row costs one more deletion.
    init(_ rows: Int) {
        increases = [UInt64](repeating: .max, count: Self.wordCount(rows))
        decreases = [UInt64](repeating: 0, count: Self.wordCount(rows))
    }

    static func wordCount(_ rows: Int) -> Int { (rows + 63) / 64 }

    /// The distance of the row after `row` items minus that of the row before: −1, 0 or 1.
    func step(at row: Int) -> Int {
        let (word, bit) = (row / 64, UInt64(row % 64))
        return Int(increases[word] >> bit & 1) - Int(decreases[word] >> bit & 1)
    }

    /// Advances to the next column, for one more symbol of the hypothesis.
    mutating func advance(_ positions: SymbolPositions, _ symbol: Int) {
        // The carry from word to word: the horizontal differences of a word's last row. The first row grows by
        // one.
        var carriedIncrease: UInt64 = 1
        var carriedDecrease: UInt64 = 0
        let offset = positions.offset(of: symbol)
        for word in increases.indices {
            let (up, down) = (increases[word], decreases[word])
            let match = (offset.map { positions.bits[$0 + word] } ?? 0) | carriedDecrease
            let diagonal = (((match & up) &+ up) ^ up) | match | down
            let increase = down | ~(diagonal | up)
            let decrease = diagonal & up
            let shiftedIncrease = increase << 1 | carriedIncrease
            let shiftedDecrease = decrease << 1 | carriedDecrease
            (carriedIncrease, carriedDecrease) = (increase >> 63, decrease >> 63)
            increases[word] = shiftedDecrease | ~(diagonal | shiftedIncrease)
            decreases[word] = shiftedIncrease & diagonal
        }
    }
}

/// Where each symbol of a sequence stands, 64 places a word.
struct SymbolPositions {
    private let wordCount: Int
    private var offsets: [Int: Int] = [:]
    /// The words of one symbol after those of another.
    private(set) var bits: [UInt64] = []

    init(_ sequence: [Int]) {
        wordCount = EditColumn.wordCount(sequence.count)
        for (index, symbol) in sequence.enumerated() {
            if offsets[symbol] == nil {
                offsets[symbol] = bits.count
                bits.append(contentsOf: repeatElement(0, count: wordCount))
            }
            bits[(offsets[symbol] ?? 0) + index / 64] |= 1 << UInt64(index % 64)
        }
    }

    /// Where the words of a symbol start; nil when it does not occur.
    func offset(of symbol: Int) -> Int? { offsets[symbol] }
}
