import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// The tree of voices against its definition.
struct VoiceTreeTests {
    private func voices(_ count: Int, seed: UInt64) -> [SpeakerEmbedding] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { _ in
            SpeakerEmbedding((0..<6).map { _ -> Float in .random(in: -1...1, using: &random) }).normalized
        }
    }

    /// Merges the groups with the smallest mean distance of their members, plus the penalty.
    private func merges(_ voices: [SpeakerEmbedding], windows: [Int], penalty: Float) -> [VoiceTree.Merge] {
        var groups = voices.indices.map { [$0] }
        var merges: [VoiceTree.Merge] = []
        while groups.count > 1 {
            var best = (into: 0, from: 0, distance: Float.infinity)
            for from in groups.indices {
                for into in 0..<from {
                    let pairs = groups[into].flatMap { one in groups[from].map { (one, $0) } }
                    let sum = pairs.reduce(Float(0)) { $0 + 1 - voices[$1.0].dot(voices[$1.1]) }
                    let conflicts = pairs.count { windows[$0.0] == windows[$0.1] }
                    let share = Float(conflicts) / Float(min(groups[into].count, groups[from].count))
                    let distance = sum / Float(pairs.count) + penalty * share
                    if distance < best.distance { best = (into, from, distance) }
                }
            }
            merges.append(
                VoiceTree.Merge(into: groups[best.into][0], from: groups[best.from][0], distance: best.distance))
            groups[best.into] = (groups[best.into] + groups[best.from]).sorted()
            groups.remove(at: best.from)
        }
        return merges
    }

    @Test(arguments: [0, 0.3] as [Float], [1, 2, 3, 20]) func theNearestGroupsAreMerged(penalty: Float, count: Int) {
        for seed in 1...5 as ClosedRange<UInt64> {
            let voices = voices(count, seed: seed), windows = voices.indices.map { $0 / 2 }
            let tree = VoiceTree(voices, windows: windows, penalty: penalty)
            let expected = merges(voices, windows: windows, penalty: penalty)
            #expect(tree.merges.map { [$0.into, $0.from] } == expected.map { [$0.into, $0.from] })
            for (one, other) in zip(tree.merges, expected) { #expect(abs(one.distance - other.distance) < 1e-4) }
        }
    }

    @Test func groupsAreNumberedByTheirFirstMembers() {
        let axes = [0, 1, 0, 2, 1, 0].map { axis in SpeakerEmbedding((0..<3).map { $0 == axis ? 1 : 0 }) }
        let tree = VoiceTree(axes, windows: Array(0..<6), penalty: 0)
        #expect(tree.merges(upTo: 0.5) == 3)
        #expect(tree.groups(after: 3) == [0, 1, 0, 2, 1, 0])
        #expect(tree.groups(after: 0) == [0, 1, 2, 3, 4, 5])
        #expect(Set(tree.groups(after: 5)) == [0])
    }

    @Test func nothingHasNoTree() {
        let tree = VoiceTree([], windows: [], penalty: 0.2)
        #expect(tree.merges.isEmpty && tree.groups(after: 0).isEmpty)
    }
}
