/// Finds phrases repeated in a loop.
enum Loops {
    /// The longest phrase considered, in words.
    static let longestPhrase = 60

    struct Loop: Hashable {
        /// The whole loop, first occurrence included.
        var range: Range<Int>
        /// The number of words in the phrase.
        var period: Int
        /// The number of complete occurrences.
        var count: Int
        /// Everything after the first occurrence.
        var repeated: Range<Int> { range.lowerBound + period..<range.upperBound }
    }

    /// The loops in a list of words, from front to back.
    ///
    /// A loop includes an incomplete last occurrence only if the text ends within it; if the text continues
    /// differently, those words are not part of the loop.
    static func find(in keys: [String], repeats: Int, repeatedWords: Int) -> [Loop] {
        var loops: [Loop] = []
        var start = 0
        while start < keys.count {
            let loop = (1...longestPhrase).lazy.compactMap { period in
                Self.loop(in: keys, from: start, period: period)
            }.first { $0.count >= repeats && ($0.count - 1) * $0.period >= repeatedWords }
            if let loop { loops.append(loop) }
            start = loop?.range.upperBound ?? start + 1
        }
        return loops
    }

    private static func loop(in keys: [String], from start: Int, period: Int) -> Loop? {
        var end = start + period
        while end < keys.count, keys[end] == keys[end - period] { end += 1 }
        guard end - start >= 2 * period, end <= keys.count else { return nil }
        let count = (end - start) / period
        return Loop(
            range: start..<(end == keys.count ? end : start + count * period), period: period, count: count)
    }
}
