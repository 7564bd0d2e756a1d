import Testing

@testable import StenoVoice

/// The voices at moments, between and among speakers.
struct VoiceMomentsTests {
    private let axes = [SpeakerEmbedding([1, 0, 0]), SpeakerEmbedding([0, 1, 0]), SpeakerEmbedding([0, 0, 1])]

    private func moments(_ voices: [Int?]) -> VoiceMoments {
        VoiceMoments(step: 10, voices: voices.map { $0.map { axes[$0] } })
    }

    @Test func momentsAreTakenInTurn() {
        var moments = moments([])
        #expect(moments.next(before: 21, first: 0) == [0, 10, 20])
        for _ in 0..<3 { moments.append(nil) }
        #expect(moments.next(before: 50, first: 20) == [10, 20])
        #expect(moments.next(before: 30, first: 20).isEmpty)
    }

    @Test func similaritiesAreInterpolated() {
        let similarities = SpeakerSimilarities(moments([0, 1, nil, nil, 1]), speakers: Array(axes[..<2]))
        #expect(similarities.at(0) == [1, 0])
        #expect(similarities.at(5) == [0.5, 0.5])
        #expect(similarities.at(15) == [0, 1], "only one moment has a voice")
        #expect(similarities.at(25) == nil)
        #expect(similarities.at(35) == [0, 1])
        #expect(similarities.at(49) == [0, 1])
        #expect(similarities.at(500) == nil)
    }

    private func confirmed(_ voices: [Int?], fewest: Int = 1) -> Int {
        moments(voices).confirmed(axes, least: 3, share: 0.05, fewest: fewest).count
    }

    @Test func aSpeakerHasSomeMoments() {
        let long = [Int?](repeating: 0, count: 60)
        #expect(confirmed(long + [1, 1, 1, 2, 2, 2]) == 3)
        #expect(confirmed(long + [1, 1, 1, 2, 2]) == 2)
        #expect(confirmed(long + [1, 1, 1, 2, 2], fewest: 3) == 3)
        #expect(confirmed([0, 0, 1, 2, nil]) == 3, "in a short recording, one is enough")
        #expect(confirmed([]) == 3, "nothing is known")
    }
}
