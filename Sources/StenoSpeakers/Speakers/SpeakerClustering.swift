import StenoCore

/// Finds the voices of a recording: how many there are, and the mean of each.
///
/// Groups of windows are divided in two (``SpectralBisection``) until the halves are one voice by ``SpeakerLimits``;
/// halves that take turns must be more similar to count as one. Then every window goes to the most similar mean, groups
/// that are one voice are merged, and groups with too little speech are dissolved. Long recordings are represented by
/// at most a thousand windows.
struct SpeakerClustering {
    /// The maximum number of windows used; the work grows with its square.
    private static let mostWindows = 1000
    private static let mostVoices = 20

    private let windows: [SpeakerEmbedding]
    private let secondsPerWindow: Double
    private let limits: SpeakerLimits

    /// Smaller groups are not divided unless the number of voices is given: they are too little evidence.
    private static let leastToDivide = 4
    /// Smaller groups, and those with fewer changes from one to the other, may take turns by chance.
    private static let leastToTakeTurns = (windows: 10, changes: 8)

    /// - Parameters:
    ///   - windows: The windows' embeddings, in order of time.
    ///   - secondsPerWindow: How much speech a window represents.
    init(_ windows: [SpeakerEmbedding], secondsPerWindow: Double, limits: SpeakerLimits = SpeakerLimits()) {
        let step = max(1, (windows.count + Self.mostWindows - 1) / Self.mostWindows)
        self.windows = stride(from: 0, to: windows.count, by: step).map { windows[$0] }
        self.secondsPerWindow = secondsPerWindow * Double(step)
        self.limits = limits
    }

    /// The voices, in no particular order; none without windows.
    ///
    /// - Parameter counts: The lowest and the highest number of voices; nil finds it.
    func voices(counts: ClosedRange<Int>?) -> [SpeakerEmbedding] {
        guard let counts else { return voices(count: nil) }
        guard counts.count > 1 else { return voices(count: counts.lowerBound) }
        let found = voices(count: nil)
        if counts.contains(found.count) { return found }
        return voices(count: found.count < counts.lowerBound ? counts.lowerBound : counts.upperBound)
    }

    /// The voices, in no particular order; none without windows.
    ///
    /// - Parameter count: The number of voices; nil finds it.
    func voices(count: Int?) -> [SpeakerEmbedding] {
        guard !windows.isEmpty else { return [] }
        var groups = divided(Array(windows.indices), wanted: count)
        while true {
            groups = refined(groups)
            // Windows in which the speaker changes form small groups of their own, which must not take the place of a
            // voice when the number of voices is given.
            if let index = count.flatMap({ $0 < groups.count ? groupToDissolve(groups) : nil }) {
                groups.remove(at: index)
            } else if let pair = pairToMerge(groups, wanted: count) {
                groups[pair.0] += groups[pair.1]
                groups.remove(at: pair.1)
            } else if let index = count == nil ? groupToDissolve(groups) : nil {
                groups.remove(at: index)
            } else {
                return means(groups)
            }
        }
    }

    /// Divides groups until their halves are one voice; with a wanted number, until there are at least as many.
    private func divided(_ all: [Int], wanted: Int?) -> [[Int]] {
        var done: [[Int]] = []
        let least = wanted == nil ? Self.leastToDivide : 2
        var open: [(group: [Int], halves: (([Int], [Int]), Float)?)] = [(all, halves(of: all, least: least))]
        while let index = open.indices.min(by: { cosine(open[$0].halves) < cosine(open[$1].halves) }) {
            let (group, split) = open.remove(at: index)
            guard let ((left, right), similarity) = split, done.count + open.count + 1 < Self.mostVoices else {
                done.append(group)
                continue
            }
            let isOneVoice = similarity >= limit(left, right)
            let isEnough = wanted.map { done.count + open.count + 1 >= $0 } ?? true
            if isOneVoice, isEnough {
                done.append(group)
            } else {
                open += [left, right].map { ($0, halves(of: $0, least: least)) }
            }
        }
        return done
    }

    private func cosine(_ halves: (([Int], [Int]), Float)?) -> Float { halves?.1 ?? 2 }

    /// The two halves of a group, and the cosine of their means.
    private func halves(of group: [Int], least: Int) -> (([Int], [Int]), Float)? {
        guard group.count >= least, let isSecond = SpectralBisection.divide(group.map { windows[$0] }) else {
            return nil
        }
        let pairs = zip(group, isSecond)
        let left = pairs.filter { !$1 }.map(\.0), right = pairs.filter(\.1).map(\.0)
        let means = means([left, right])
        return means.count == 2 ? ((left, right), means[0].dot(means[1])) : nil
    }

    private func seconds(_ count: Int) -> Double { Double(count) * secondsPerWindow }

    private func means(_ groups: [[Int]]) -> [SpeakerEmbedding] {
        groups.compactMap { group in SpeakerEmbedding.mean(group.map { windows[$0] }) }
    }

    /// Gives every window to the most similar mean.
    private func refined(_ start: [[Int]]) -> [[Int]] {
        var groups = start
        for _ in 0..<5 {
            let means = means(groups)
            var next = [[Int]](repeating: [], count: means.count)
            for index in windows.indices { next[windows[index].mostSimilar(of: means).index].append(index) }
            next.removeAll(where: \.isEmpty)
            if next == groups { break }
            groups = next
        }
        return groups
    }

    /// The two groups that are most clearly one voice; with a wanted number, the most similar while there are too many.
    private func pairToMerge(_ groups: [[Int]], wanted: Int?) -> (Int, Int)? {
        if let wanted, groups.count <= wanted { return nil }
        let means = means(groups)
        var best: (pair: (Int, Int), excess: Float)?
        for right in means.indices {
            for left in 0..<right {
                let excess = means[left].dot(means[right]) - limit(groups[left], groups[right])
                if excess > best?.excess ?? -.infinity { best = ((left, right), excess) }
            }
        }
        guard let best, wanted != nil || best.excess >= 0 else { return nil }
        return best.pair
    }

    /// The smallest group, if it has too little speech for a voice, which a single window always has.
    private func groupToDissolve(_ groups: [[Int]]) -> Int? {
        guard groups.count > 1, let index = groups.indices.min(by: { groups[$0].count < groups[$1].count }) else {
            return nil
        }
        let count = groups[index].count
        let isShort = seconds(count) < limits.shortestVoice
        let isRare = Double(count) < 0.1 * Double(windows.count)
        return count == 1 || isShort && isRare ? index : nil
    }

    // MARK: When two groups are one voice

    /// The minimum cosine of the means at which two groups are one voice.
    private func limit(_ left: [Int], _ right: [Int]) -> Float {
        let limit = limits.sameVoice(seconds: seconds(min(left.count, right.count)))
        return takeTurns(left, right) ? limit + limits.allowanceForTurns : limit
    }

    /// Whether successive windows are in the same group more often than by chance.
    ///
    /// Differences within one voice, such as its vowels, change all the time, while people in a conversation speak for
    /// some seconds at a time. A voice that drifts changes rarely.
    private func takeTurns(_ left: [Int], _ right: [Int]) -> Bool {
        let least = Self.leastToTakeTurns
        guard min(left.count, right.count) >= least.windows else { return false }
        let isRight = (left.map { ($0, false) } + right.map { ($0, true) }).sorted { $0.0 < $1.0 }.map(\.1)
        // A window shares half of its samples with the next, but none with the one after that.
        let changes = zip(isRight, isRight.dropFirst(2)).count { $0 != $1 }
        guard changes >= least.changes else { return false }
        let share = Double(left.count) / Double(isRight.count)
        let byChance = 2 * share * (1 - share)
        return 1 - Double(changes) / Double(isRight.count - 2) / byChance >= limits.turns
    }
}

extension SpeakerEmbedding {
    /// The most similar of some voices, and its margin over the second; there must be at least one.
    func mostSimilar(of voices: [SpeakerEmbedding]) -> (index: Int, cosine: Float, margin: Float) {
        var best = (index: 0, cosine: -Float.infinity), second = -Float.infinity
        for (index, voice) in voices.enumerated() {
            let cosine = dot(voice)
            if cosine > best.cosine {
                second = best.cosine
                best = (index, cosine)
            } else {
                second = max(second, cosine)
            }
        }
        return (best.index, best.cosine, best.cosine - second)
    }
}

/// When two groups of windows are one voice: thresholds measured with the bundled encoder.
///
/// The halves into which spectral bisection divides the speech of one voice have a cosine of 0.91 to 0.98 when each has
/// ten windows or more; two different voices had at most 0.85. With few windows both vary more, so little speech has to
/// differ more to count as another voice (`Documentation/Project/Accuracy.md` has the figures).
package struct SpeakerLimits: Sendable, Hashable {
    /// The minimum cosine of the means at which two large groups are one voice.
    package var sameVoice: Float = 0.885
    /// How much this minimum is lowered for a group of one second.
    package var allowancePerSecond: Float = 0.228
    /// The lowest value of the minimum.
    package var lowest: Float = 0.79
    /// How much the minimum is raised for two large groups that take turns, as two people do, so that similar voices
    /// stay separate.
    package var allowanceForTurns: Float = 0.015
    /// How much more often than by chance a window and the second one after it are in the same group when two people
    /// take turns: 0 is chance, 1 is always.
    ///
    /// The halves of one voice had at most 0.37, those of two voices 0.54 to 1.
    package var turns = 0.5
    /// The minimum speech of a separate voice, in seconds, unless there is little speech altogether.
    package var shortestVoice = 3.2
    /// A window whose two best voices differ by less takes the voice of its neighbours.
    package var doubt: Float = 0.02

    package init() {}

    /// The limits while audio arrives.
    ///
    /// Two windows make a new voice, which is corrected if it turns out not to be one; they must differ more from all
    /// other voices, because there is often little audio of those yet.
    package static let live: SpeakerLimits = {
        var limits = SpeakerLimits()
        limits.lowest = 0.74
        limits.shortestVoice = 1.6
        return limits
    }()

    /// The minimum cosine at which two groups are one voice, if the smaller has this much speech.
    package func sameVoice(seconds: Double) -> Float {
        max(lowest, sameVoice - allowancePerSecond / Float(max(seconds, 0.1)))
    }
}
