import StenoCore

/// Finds the speakers of a recording among the voices of its windows' local speakers.
///
/// Voices are merged (``VoiceTree``) up to a distance, and then groups whose means are one voice; groups with too few
/// are not speakers. If the number of speakers is given, the tree is cut where it has that many.
struct VoiceGrouping {
    /// The voices that define speakers.
    private let voices: [LocalVoice]
    private let settings: OverlapSettings

    init(_ voices: [LocalVoice], _ settings: OverlapSettings) {
        let certain = voices.filter(settings.defines)
        let defining = certain.isEmpty ? voices : certain
        // Evenly over the recording, so that a person who speaks rarely is not left out.
        let count = min(defining.count, settings.mostCompared)
        self.voices = (0..<count).map { defining[$0 * defining.count / count] }
        self.settings = settings
    }

    /// The speakers' mean voices, in no particular order; none without voices.
    ///
    /// - Parameter counts: The lowest and the highest number of speakers; nil finds it.
    func speakers(counts: ClosedRange<Int>?) -> [SpeakerEmbedding] {
        guard !voices.isEmpty else { return [] }
        let tree = VoiceTree(voices.map(\.embedding), windows: voices.map(\.window), penalty: settings.sameWindow)
        let merged = tree.merges(upTo: settings.sameVoice)
        let found = large(joined(members(tree, merged)), least: least)
        guard let counts, !counts.contains(found.count) else { return means(found) }
        let isFew = found.count < counts.lowerBound
        // The number is known, so two voices are enough for a speaker; if that does not suffice, one is.
        for least in isFew ? [settings.leastVoices, 1] : [least] {
            let cuts = isFew ? Array((0...merged).reversed()) : Array(merged..<max(voices.count, merged + 1))
            for cut in cuts {
                let groups = large(members(tree, cut), least: least)
                if counts.contains(groups.count) { return means(groups) }
            }
        }
        if isFew { return means(members(tree, 0)) }
        return means(Array(found.sorted { $0.count > $1.count }.prefix(counts.upperBound)))
    }

    private var least: Int {
        let share = (settings.leastShare * Double(voices.count)).rounded(.up)
        return max(settings.leastVoices, min(Int(share), settings.enough))
    }

    private func members(_ tree: VoiceTree, _ merged: Int) -> [[Int]] {
        let labels = tree.groups(after: merged)
        var groups = [[Int]](repeating: [], count: (labels.max() ?? -1) + 1)
        for (index, label) in labels.enumerated() { groups[label].append(index) }
        return groups
    }

    /// Merges groups whose means are one voice: the segmentation may have taken one person for two in some windows.
    private func joined(_ start: [[Int]]) -> [[Int]] {
        var groups = start
        while true {
            let means = means(groups)
            var best = (first: 0, second: 0, distance: Float.infinity)
            for second in means.indices {
                for first in 0..<second {
                    let distance = 1 - means[first].dot(means[second])
                    if distance < best.distance { best = (first, second, distance) }
                }
            }
            guard best.distance <= settings.samePerson else { return groups }
            groups[best.first] += groups.remove(at: best.second)
        }
    }

    /// The groups that have enough voices, or else the largest.
    private func large(_ groups: [[Int]], least: Int) -> [[Int]] {
        let large = groups.filter { $0.count >= least }
        guard large.isEmpty else { return large }
        return groups.max { ($0.count, $1[0]) < ($1.count, $0[0]) }.map { [$0] } ?? []
    }

    private func means(_ groups: [[Int]]) -> [SpeakerEmbedding] {
        groups.compactMap { group in SpeakerEmbedding.mean(group.map { voices[$0].embedding }) }
    }
}
