import StenoCore

/// The tree in which local speakers' voices are merged, the most similar groups first: average linkage on the cosine
/// distance (Sokal and Michener 1958), and a penalty for groups that speak in the same windows.
///
/// The local speakers of a window are different people, unless the segmentation took one person for two: groups are
/// further apart by the penalty, multiplied by the share of the smaller group that has a window in common with the
/// larger. The memory grows with the square of the number of voices, and so does the time in practice: the nearest
/// neighbour of a group is kept, and searched again only after it was merged.
struct VoiceTree {
    /// A merge of two groups, which are called by their first members.
    struct Merge: Equatable {
        var into: Int
        var from: Int
        var distance: Float
    }

    private(set) var merges: [Merge] = []
    private let count: Int

    /// - Parameters:
    ///   - embeddings: Embeddings of length 1.
    ///   - windows: The window of each.
    ///   - penalty: The distance added for two groups that always speak in the same windows.
    init(_ embeddings: [SpeakerEmbedding], windows: [Int], penalty: Float) {
        precondition(embeddings.count == windows.count, "a window for each voice")
        count = embeddings.count
        var linkage = VoiceLinkage(embeddings, windows: windows, penalty: penalty)
        while let merge = linkage.next() { merges.append(merge) }
    }

    /// The group of each voice after a number of merges; groups are numbered by their first members.
    func groups(after merged: Int) -> [Int] {
        var parents = Array(0..<count)
        for merge in merges.prefix(merged) { parents[merge.from] = merge.into }
        var numbers: [Int: Int] = [:]
        return (0..<count).map { index in
            var root = index
            while parents[root] != root { root = parents[root] }
            parents[index] = root
            if let number = numbers[root] { return number }
            numbers[root] = numbers.count
            return numbers.count - 1
        }
    }

    /// The number of merges before the first above a distance.
    func merges(upTo distance: Float) -> Int { merges.prefix { $0.distance <= distance }.count }
}

/// The groups that are left while a ``VoiceTree`` grows, and their distances.
struct VoiceLinkage {
    private let count: Int
    private let penalty: Float
    /// [count, count]: the mean distances, without penalties; rows and columns of merged groups are no longer used.
    private var distances: [Float]
    /// [count, count]: the pairs of voices of two groups that are in one window.
    private var conflicts: [Float]
    private var sizes: [Float]
    private var isLeft: [Bool]
    /// The nearest group with a higher number.
    private var nearest: [(index: Int, distance: Float)]

    init(_ embeddings: [SpeakerEmbedding], windows: [Int], penalty: Float) {
        count = embeddings.count
        self.penalty = penalty
        distances = [Float](repeating: 0, count: count * count)
        conflicts = [Float](repeating: 0, count: count * count)
        sizes = [Float](repeating: 1, count: count)
        isLeft = [Bool](repeating: true, count: count)
        nearest = [(Int, Float)](repeating: (0, .infinity), count: count)
        for row in 0..<count {
            for column in 0..<row {
                let conflict: Float = windows[row] == windows[column] ? 1 : 0
                set(row, column, 1 - embeddings[row].dot(embeddings[column]), conflict)
            }
        }
        for row in 0..<count { findNearest(of: row) }
    }

    /// Merges the two nearest groups; nil when there is only one.
    mutating func next() -> VoiceTree.Merge? {
        var (into, least) = (-1, Float.infinity)
        for row in 0..<count where isLeft[row] && nearest[row].distance < least {
            (into, least) = (row, nearest[row].distance)
        }
        guard into >= 0 else { return nil }
        let (from, distance) = nearest[into]
        merge(from, into: into)
        return VoiceTree.Merge(into: into, from: from, distance: distance)
    }

    private mutating func set(_ row: Int, _ column: Int, _ distance: Float, _ conflict: Float) {
        distances[row * count + column] = distance
        distances[column * count + row] = distance
        conflicts[row * count + column] = conflict
        conflicts[column * count + row] = conflict
    }

    private func distance(_ row: Int, _ column: Int) -> Float {
        let conflict = conflicts[row * count + column]
        let distance = distances[row * count + column]
        return conflict > 0 ? distance + penalty * conflict / min(sizes[row], sizes[column]) : distance
    }

    private mutating func merge(_ from: Int, into: Int) {
        isLeft[from] = false
        let sum = sizes[into] + sizes[from]
        let (own, other) = (sizes[into] / sum, sizes[from] / sum)
        sizes[into] = sum
        for row in 0..<count where isLeft[row] && row != into {
            let (one, two) = (into * count + row, from * count + row)
            set(row, into, own * distances[one] + other * distances[two], conflicts[one] + conflicts[two])
        }
        for row in 0..<from where isLeft[row] && row != into {
            if nearest[row].index == from || row < into && nearest[row].index == into {
                findNearest(of: row)
            } else if row < into {
                let distance = distance(row, into)
                if distance < nearest[row].distance { nearest[row] = (into, distance) }
            }
        }
        findNearest(of: into)
    }

    private mutating func findNearest(of row: Int) {
        var best = (index: 0, distance: Float.infinity)
        for other in row + 1..<max(count, row + 1) where isLeft[other] {
            let distance = distance(row, other)
            if distance < best.distance { best = (other, distance) }
        }
        nearest[row] = best
    }
}
