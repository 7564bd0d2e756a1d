/// The edit distance of two sequences (Levenshtein 1966): how many items have to be replaced, added or removed.
package enum EditDistance {
    /// The distances of a sequence from the first 0, 1, 2 … items of another; the last is that from all of it.
    ///
    /// - Parameter withSwaps: Whether two neighbours in the wrong order count as one error instead of two.
    package static func distances<Item: Equatable>(
        of sequence: [Item], from other: [Item], withSwaps: Bool = false
    ) -> [Int] {
        var (earlier, row) = ([Int](), Array(0...other.count))
        for (index, item) in sequence.enumerated() {
            var next = [index + 1]
            next.reserveCapacity(other.count + 1)
            for (column, candidate) in other.enumerated() {
                var cost = min(row[column] + (item == candidate ? 0 : 1), row[column + 1] + 1, next[column] + 1)
                if withSwaps, index > 0, column > 0, item == other[column - 1], sequence[index - 1] == candidate {
                    cost = min(cost, earlier[column - 1] + 1)
                }
                next.append(cost)
            }
            (earlier, row) = (row, next)
        }
        return row
    }
}
