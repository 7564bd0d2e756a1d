import StenoCore

/// Finds runs of words that have been written before.
enum PromptRepetitions {
    /// An echo of the text before has at least so many letters: a date or a polite phrase comes twice by itself.
    static let fewestLetters = 20.0
    /// An echo of a prompt may be shorter, since few words are in one.
    static let fewestPromptLetters = 8.0

    /// The runs of at least `length` words that stand in a prompt too, or are a whole shorter one; front to back.
    static func find(in keys: [String], of prompts: [[String]], length: Int) -> [Range<Int>] {
        runs(in: keys, from: 0) { start in
            prompts.lazy.map { prompt in
                // One word is no echo.
                longest(keys[start...], in: prompt[...], atLeast: max(2, min(length, prompt.count)))
            }.max() ?? 0
        }
    }

    /// The runs of at least `length` words from `first` on that stand before themselves too, front to back.
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

    /// How many of the first words stand somewhere in the source; 0 when they are fewer than asked for.
    private static func longest(_ keys: ArraySlice<String>, in source: ArraySlice<String>, atLeast wanted: Int) -> Int {
        source.indices.reduce(0) { best, place in
            let count = zip(keys, source[place...]).prefix { $0 == $1 }.count
            return count >= wanted ? max(best, count) : best
        }
    }
}
