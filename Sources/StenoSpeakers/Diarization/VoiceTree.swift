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

    /// The merges in order, to the last group.
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
