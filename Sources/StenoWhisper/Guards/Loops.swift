import StenoCore

/// Finds phrases that are said again and again.
enum Loops {
    /// The longest phrase that is looked for, in words.
    static let longestPhrase = 60

    struct Loop: Hashable {
        /// All of it, the first time included.
        var range: Range<Int>
        /// How many words the phrase has.
        var period: Int
        /// How often it is said in full.
        var count: Int
        /// Everything after the first time, down to where the text goes on.
        var repeated: Range<Int> { range.lowerBound + period..<range.upperBound }
    }

    /// The loops in a row of words, from front to back.
    ///
    /// A phrase is begun once more when the text ends in the middle of it; where it goes on otherwise, the beginning is
    /// not the loop's.
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
