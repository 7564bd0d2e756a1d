import StenoTestSupport
import Testing

@testable import StenoSpeakers

/// The speakers among voices that scatter around axes.
struct VoiceGroupingTests {
    /// Voices of some speakers, one in each window, with a cosine of about 0.9 to the speaker.
    private func voices(_ counts: [Int], frames: Int = 200) -> [LocalVoice] {
        var random = SplitMix64(seed: 5)
        let speakers = counts.enumerated().flatMap { [Int](repeating: $0.offset, count: $0.element) }
        return speakers.enumerated().map { window, speaker in
            var values = (0..<32).map { _ -> Float in .random(in: -0.15...0.15, using: &random) }
            values[speaker] += 1
            return LocalVoice(
                window: window, speaker: 0, frames: frames, embedding: SpeakerEmbedding(values).normalized)
        }
    }

    private func speakers(_ voices: [LocalVoice], counts: ClosedRange<Int>? = nil) -> [SpeakerEmbedding] {
        VoiceGrouping(voices, OverlapSettings()).speakers(counts: counts)
    }

    @Test(arguments: [[1], [3], [20, 5], [6, 9, 4], [10, 10, 10, 10, 10, 10]])
    func theNumberOfSpeakersIsFound(counts: [Int]) {
        let found = speakers(voices(counts))
        #expect(found.count == counts.count)
        let axes = found.map { voice in voice.values.indices.max { voice.values[$0] < voice.values[$1] } }
        #expect(Set(axes) == Set(counts.indices))
    }

    @Test func aGivenNumberIsKept() {
        let voices = voices([12, 12, 12])
        for count in 1...5 { #expect(speakers(voices, counts: count...count).count == count) }
        #expect(speakers(voices, counts: 2...4).count == 3)
        #expect(speakers(voices, counts: 4...8).count == 4)
        #expect(speakers(voices, counts: 1...2).count == 2)
        #expect(speakers(self.voices([3]), counts: 9...9).count <= 3, "there are not more voices")
    }

    @Test func aStrayVoiceIsNoSpeaker() {
        #expect(speakers(voices([30, 1])).count == 1)
        #expect(speakers(voices([60, 60, 3])).count == 2)
        #expect(speakers(voices([400, 12])).count == 2, "36 s are enough in a long recording")
        #expect(speakers(voices([30, 1]), counts: 2...2).count == 2)
        // Briefly heard voices define speakers only if there is no other.
        let brief = voices([0, 5], frames: 30)
        #expect(speakers(voices([8]) + brief).count == 1)
        #expect(speakers(brief).count == 1)
        #expect(speakers([]).isEmpty)
    }

    /// Two kinds of voices in turn, one of them or both in each window.
    private func turns(_ other: [Float], perWindow: Int = 2) -> [LocalVoice] {
        (0..<20).map { index in
            LocalVoice(
                window: index / perWindow, speaker: index % perWindow, frames: 200,
                embedding: SpeakerEmbedding(index % 2 == 0 ? [1, 0] : other))
        }
    }

    @Test func thoseWhoSpeakInTheSameWindowsAreTwo() {
        #expect(speakers(turns([0.6, 0.8], perWindow: 1)).count == 1)
        #expect(speakers(turns([0.6, 0.8])).count == 2)
        // One person taken for two is one.
        #expect(speakers(turns([0.8, 0.6])).count == 1)
        #expect(speakers(turns([0.8, 0.6]), counts: 2...2).count == 2)
    }

    /// At a distance of 0.53, and of 0.28 in the same windows: in a recording two people, while audio arrives one, whom
    /// the segmentation may have taken for two.
    @Test func liveVoicesOfOnePersonMayBeFurtherApart() {
        for voices in [turns([0.47, 0.882_666], perWindow: 1), turns([0.72, 0.693_974])] {
            #expect(speakers(voices).count == 2)
            #expect(VoiceGrouping(voices, .live).speakers(counts: nil).count == 1)
        }
    }

    @Test func longRecordingsAreRepresentedEvenly() {
        var settings = OverlapSettings()
        settings.mostCompared = 40
        #expect(VoiceGrouping(voices([300, 60, 300]), settings).speakers(counts: nil).count == 3)
    }
}

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

struct VoiceArchiveTests {
    private let moments = VoiceMoments(step: OverlapSettings.live.momentStep)

    private func voice(_ axis: Int, window: Int, frames: Int) -> LocalVoice {
        var values = [Float](repeating: 0, count: 4)
        values[axis] = 1
        return LocalVoice(window: window, speaker: 0, frames: frames, embedding: SpeakerEmbedding(values))
    }

    /// A guest speaks at the beginning only, mostly for less than a second at a time; then someone else speaks for minutes.
    @Test func aGuestIsKnownByTheLongerVoices() {
        var archive = VoiceArchive(settings: .live)
        for window in 0..<16 {
            archive.add([voice(1, window: window, frames: window % 4 == 1 ? 170 : 30)])
            _ = archive.findSpeakers(moments: moments)
        }
        let guest = archive.speakers.map(\.number)
        #expect(guest.count == 1)
        for window in 16..<700 {
            archive.add([voice(0, window: window, frames: 170)])
            if window.isMultiple(of: 10) { _ = archive.findSpeakers(moments: moments) }
        }
        #expect(archive.count <= 320)
        #expect(archive.speakers.count == 2)
        #expect(archive.speakers.contains { $0.number == guest.first && $0.embedding.values[1] > 0.9 })
    }
}
