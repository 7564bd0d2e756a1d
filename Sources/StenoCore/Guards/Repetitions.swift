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
        return Loop(range: start..<(end == keys.count ? end : start + count * period), period: period, count: count)
    }
}

/// Finds runs of words copied from a prompt or from the preceding text.
enum PromptRepetitions {
    /// The minimum number of letters in a repetition of the preceding text: dates and polite phrases recur naturally.
    static let fewestLetters = 20.0
    /// The minimum number of letters in a repetition of a prompt: lower, since prompts are short.
    static let fewestPromptLetters = 8.0

    /// The runs of at least `length` words that occur in a prompt, or make up a whole shorter prompt; front to back.
    static func find(in keys: [String], of prompts: [[String]], length: Int) -> [Range<Int>] {
        runs(in: keys, from: 0) { start in
            prompts.lazy.map { prompt in
                // One word is not a repetition.
                longest(keys[start...], in: prompt[...], atLeast: max(2, min(length, prompt.count)))
            }.max() ?? 0
        }
    }

    /// The runs of at least `length` words, from index `first`, that also occur earlier in the list; front to back.
    static func find(in keys: [String], from first: Int, length: Int) -> [Range<Int>] {
        runs(in: keys, from: first) { longest(keys[$0...], in: keys[..<$0], atLeast: length) }
    }

    private static func runs(in keys: [String], from first: Int, _ longest: (Int) -> Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = first
        while start < keys.count {
            let count = longest(start)
            if count > 0 { runs.append(start..<start + count) }
            start += max(1, count)
        }
        return runs
    }

    /// The length of the longest prefix that occurs in the source; 0 if it is shorter than required.
    private static func longest(_ keys: ArraySlice<String>, in source: ArraySlice<String>, atLeast wanted: Int) -> Int {
        source.indices.reduce(0) { best, place in
            let count = zip(keys, source[place...]).prefix { $0 == $1 }.count
            return count >= wanted ? max(best, count) : best
        }
    }
}
