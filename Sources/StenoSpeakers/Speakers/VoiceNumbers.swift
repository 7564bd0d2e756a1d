/// Gives voices that are found again and again numbers that stay the same.
struct VoiceNumbers {
    private var next = 0

    /// The number of each voice found: the one that most of its members had, or a new one.
    ///
    /// - Parameters:
    ///   - found: The voice of each member, counted from 0.
    ///   - had: The number that each member had.
    mutating func numbers(of found: [Int], had: [Int], count: Int) -> [Int] {
        var votes: [[Int]: Int] = [:]
        for (voice, number) in zip(found, had) { votes[[voice, number], default: 0] += 1 }
        var numbers = [Int?](repeating: nil, count: count)
        var taken: Set<Int> = []
        // Ties go to the lowest numbers, so that the result does not depend on the order of a dictionary.
        for (pair, _) in votes.sorted(by: { ($1.value, $0.key[1], $0.key[0]) < ($0.value, $1.key[1], $1.key[0]) })
        where numbers[pair[0]] == nil && !taken.contains(pair[1]) {
            numbers[pair[0]] = pair[1]
            taken.insert(pair[1])
            next = max(next, pair[1] + 1)
        }
        // New voices are numbered in the order of their first members.
        for voice in found where numbers[voice] == nil {
            numbers[voice] = next
            next += 1
        }
        return numbers.map { number in
            if let number { return number }
            defer { next += 1 }
            return next
        }
    }

    /// The number that most members of a voice have now that is gone; nil if it had none.
    static func heir(of gone: Int, had: [Int], now: [Int]) -> Int? {
        var votes: [Int: Int] = [:]
        for (had, now) in zip(had, now) where had == gone { votes[now, default: 0] += 1 }
        return votes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// The members that stay when there are more than `limit.all`: the latest, and of the older ones of voices that have
    /// more than `least` that are worth it, every second of these.
    ///
    /// - Parameters:
    ///   - numbers: The number of each member, in order of time.
    ///   - isWorth: Whether an older member is worth keeping.
    /// - Returns: Their indices; of very many voices, the oldest are left out too.
    static func kept(
        _ numbers: [Int], limit: (all: Int, latest: Int), least: Int, isWorth: (Int) -> Bool
    ) -> ArraySlice<Int> {
        guard numbers.count > limit.all else { return Array(numbers.indices)[...] }
        var counts: [Int: Int] = [:]
        for index in numbers.indices where isWorth(index) { counts[numbers[index], default: 0] += 1 }
        var seen: [Int: Int] = [:]
        let kept = numbers.indices.filter { index in
            guard index < numbers.count - limit.latest else { return true }
            guard isWorth(index) else { return false }
            let number = numbers[index]
            seen[number, default: 0] += 1
            let isSecond = (seen[number] ?? 0).isMultiple(of: 2)
            return !(isSecond && counts[number] ?? 0 > least)
        }
        return kept.suffix(limit.all)
    }
}
