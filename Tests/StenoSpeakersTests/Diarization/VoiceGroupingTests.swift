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
    }

    @Test func brieflyHeardVoicesDefineSpeakersOnlyIfThereIsNoOther() {
        let brief = voices([0, 5], frames: 30)
        #expect(speakers(voices([8]) + brief).count == 1)
        #expect(speakers(brief).count == 1)
        #expect(speakers([]).isEmpty)
    }

    @Test func thoseWhoSpeakInTheSameWindowsAreTwo() {
        let (one, other) = (SpeakerEmbedding([1, 0]), SpeakerEmbedding([0.6, 0.8]))
        func talk(together: Bool) -> [LocalVoice] {
            (0..<20).map { index in
                LocalVoice(
                    window: together ? index / 2 : index, speaker: index % 2, frames: 200,
                    embedding: index % 2 == 0 ? one : other)
            }
        }
        #expect(speakers(talk(together: false)).count == 1)
        #expect(speakers(talk(together: true)).count == 2)
    }

    @Test func onePersonTakenForTwoIsOne() {
        let (one, similar) = (SpeakerEmbedding([1, 0]), SpeakerEmbedding([0.8, 0.6]))
        let voices = (0..<20).map { index in
            LocalVoice(
                window: index / 2, speaker: index % 2, frames: 200, embedding: index % 2 == 0 ? one : similar)
        }
        #expect(speakers(voices).count == 1)
        #expect(speakers(voices, counts: 2...2).count == 2)
    }

    /// Two kinds of voices at a distance of 0.53: in a recording two people, while audio arrives one.
    @Test func liveVoicesOfOnePersonMayBeFurtherApart() {
        let (one, other) = (SpeakerEmbedding([1, 0]), SpeakerEmbedding([0.47, 0.882_666]))
        let voices = (0..<20).map { index in
            LocalVoice(window: index, speaker: 0, frames: 200, embedding: index % 2 == 0 ? one : other)
        }
        #expect(VoiceGrouping(voices, OverlapSettings()).speakers(counts: nil).count == 2)
        #expect(VoiceGrouping(voices, .live).speakers(counts: nil).count == 1)
    }

    /// The same in the same windows, at 0.28: one person whom the segmentation took for two.
    @Test func liveVoicesOfOneWindowMayBeOnePerson() {
        let (one, other) = (SpeakerEmbedding([1, 0]), SpeakerEmbedding([0.72, 0.693_974]))
        let voices = (0..<20).map { index in
            LocalVoice(window: index / 2, speaker: index % 2, frames: 200, embedding: index % 2 == 0 ? one : other)
        }
        #expect(VoiceGrouping(voices, OverlapSettings()).speakers(counts: nil).count == 2)
        #expect(VoiceGrouping(voices, .live).speakers(counts: nil).count == 1)
    }

    @Test func longRecordingsAreRepresentedEvenly() {
        var settings = OverlapSettings()
        settings.mostCompared = 40
        #expect(VoiceGrouping(voices([300, 60, 300]), settings).speakers(counts: nil).count == 3)
    }
}
