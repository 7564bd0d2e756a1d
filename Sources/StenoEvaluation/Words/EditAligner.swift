/// Finds an optimal alignment of two sequences of numbers.
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

    /// Divides a large problem (Hirschberg 1975): an optimal alignment passes the middle of the hypothesis at the place
    /// of the reference where the distances before and after it have the smallest sum.
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
