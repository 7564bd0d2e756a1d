/// A minimum edit alignment of a reference and a hypothesis, one step per word or character.
public struct EditAlignment: Sendable, Hashable {
    /// An alignment step.
    public enum Step: Sendable, Hashable {
        /// A hit: equal items.
        case hit
        /// A substitution: different items.
        case substitution
        /// A deletion: an item of the reference only.
        case deletion
        /// An insertion: an item of the hypothesis only.
        case insertion
    }

    /// The steps, from the start of both texts to their ends.
    public let steps: [Step]

    /// Aligns two texts with the minimum number of substitutions, deletions and insertions.
    ///
    /// Ties are broken as in RapidFuzz, and therefore jiwer, for texts up to about 2,000 words. Time grows with the
    /// product of the lengths, 64 cells at once (Hyyrö 2003, "A bit-vector algorithm for computing Levenshtein and
    /// Damerau edit distances"); memory stays below about 32 MB, since longer texts are split first (Hirschberg 1975).
    public init<Element: Hashable>(reference: [Element], hypothesis: [Element]) {
        var numbers: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let known = numbers[element] { return known }
            numbers[element] = numbers.count
            return numbers.count - 1
        }
        var aligner = EditAligner()
        aligner.align(reference.map(number)[...], hypothesis.map(number)[...])
        steps = aligner.steps
    }

    /// The number of steps of each kind.
    public var counts: ErrorCounts {
        steps.reduce(into: ErrorCounts()) { counts, step in
            switch step {
            case .hit: counts.hits += 1
            case .substitution: counts.substitutions += 1
            case .deletion: counts.deletions += 1
            case .insertion: counts.insertions += 1
            }
        }
    }
}

struct EditAligner {
    /// The maximum size of a table in 64-bit words: 32 MB.
    private let maximumTableSize: Int
    private(set) var steps: [EditAlignment.Step] = []

    init(maximumTableSize: Int = 1 << 22) { self.maximumTableSize = maximumTableSize }

    mutating func align(_ reference: ArraySlice<Int>, _ hypothesis: ArraySlice<Int>) {
        let head = zip(reference, hypothesis).prefix { $0 == $1 }.count
        append(.hit, head)
        let (said, heard) = (reference.dropFirst(head), hypothesis.dropFirst(head))
        let tail = zip(said.reversed(), heard.reversed()).prefix { $0 == $1 }.count
        alignMiddle(said.dropLast(tail), heard.dropLast(tail))
        append(.hit, tail)
    }

    private mutating func append(_ step: EditAlignment.Step, _ count: Int) {
        steps.append(contentsOf: repeatElement(step, count: count))
    }

    private mutating func alignMiddle(_ said: ArraySlice<Int>, _ heard: ArraySlice<Int>) {
        if said.isEmpty || heard.isEmpty {
            append(.deletion, said.count)
            append(.insertion, heard.count)
        } else if heard.count == 1 || 2 * heard.count * EditColumn.wordCount(said.count) <= maximumTableSize {
            steps += Self.walk(said, heard)
        } else {
            split(said, heard)
        }
    }

    /// Divides a large problem (Hirschberg 1975): an optimal alignment passes the middle of the hypothesis where the
    /// distances before and after it have the smallest sum.
    private mutating func split(_ said: ArraySlice<Int>, _ heard: ArraySlice<Int>) {
        let middle = heard.startIndex + heard.count / 2
        let before = Self.distances(Array(said), Array(heard[..<middle]))
        let after = Self.distances(said.reversed(), heard[middle...].reversed())
        let sums = before.indices.map { before[$0] + after[said.count - $0] }
        let place = said.startIndex + (sums.indices.min { sums[$0] < sums[$1] } ?? 0)
        align(said[..<place], heard[..<middle])
        align(said[place...], heard[middle...])
    }

    /// The distances of all prefixes of the reference from the whole hypothesis.
    private static func distances(_ said: [Int], _ heard: [Int]) -> [Int] {
        let symbols = SymbolPositions(said)
        var column = EditColumn(said.count)
        for symbol in heard { column.advance(symbols, symbol) }
        return said.indices.reduce(into: [heard.count]) { distances, row in
            distances.append((distances.last ?? 0) + column.step(at: row))
        }
    }

    /// Stores all columns and traces back from the end.
    private static func walk(_ said: ArraySlice<Int>, _ heard: ArraySlice<Int>) -> [EditAlignment.Step] {
        let (said, heard) = (Array(said), Array(heard))
        let symbols = SymbolPositions(said)
        var columns: [EditColumn] = []
        columns.reserveCapacity(heard.count)
        for symbol in heard {
            var column = columns.last ?? EditColumn(said.count)
            column.advance(symbols, symbol)
            columns.append(column)
        }
        var steps: [EditAlignment.Step] = []
        var (row, place) = (said.count, heard.count)
        while row > 0, place > 0 {
            if columns[place - 1].step(at: row - 1) > 0 {
                row -= 1
                steps.append(.deletion)
                continue
            }
            place -= 1
            // An insertion only where the path through the previous word would be longer.
            if place > 0, columns[place - 1].step(at: row - 1) < 0 {
                steps.append(.insertion)
            } else {
                row -= 1
                steps.append(said[row] == heard[place] ? .hit : .substitution)
            }
        }
        steps += repeatElement(.deletion, count: row)
        steps += repeatElement(.insertion, count: place)
        return steps.reversed()
    }
}

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

/// The positions of each symbol in a sequence, 64 per word.
struct SymbolPositions {
    private let wordCount: Int
    private var offsets: [Int: Int] = [:]
    /// The words of all symbols, one symbol after another.
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

    /// The index of a symbol's first word; nil if it does not occur.
    func offset(of symbol: Int) -> Int? { offsets[symbol] }
}

/// The counts of hits and errors in words (or characters) along a minimum edit alignment.
public struct ErrorCounts: Sendable, Hashable, Codable {
    /// Correct words.
    public var hits: Int
    /// Words replaced by another.
    public var substitutions: Int
    /// Words missing from the hypothesis.
    public var deletions: Int
    /// Words only in the hypothesis.
    public var insertions: Int

    /// Creates counts.
    public init(hits: Int = 0, substitutions: Int = 0, deletions: Int = 0, insertions: Int = 0) {
        self.hits = hits
        self.substitutions = substitutions
        self.deletions = deletions
        self.insertions = insertions
    }

    /// The number of words in the reference.
    public var referenceCount: Int { hits + substitutions + deletions }

    /// The edit distance (Levenshtein 1966).
    public var errors: Int { substitutions + deletions + insertions }

    /// Errors per word of the reference: 0 is perfect, and more than 1 is possible.
    ///
    /// Without words in the reference, the rate is 0 if the hypothesis is empty too, and otherwise nil. The insertions
    /// of such a file still count in the total.
    public var rate: Double? {
        if referenceCount > 0 { return Double(errors) / Double(referenceCount) }
        return errors == 0 ? 0 : nil
    }

    /// The counts of two texts together.
    public static func + (first: Self, second: Self) -> Self {
        Self(
            hits: first.hits + second.hits, substitutions: first.substitutions + second.substitutions,
            deletions: first.deletions + second.deletions, insertions: first.insertions + second.insertions)
    }
}

extension Sequence<ErrorCounts> {
    /// The counts of all texts together.
    public func total() -> ErrorCounts { reduce(ErrorCounts(), +) }
}
