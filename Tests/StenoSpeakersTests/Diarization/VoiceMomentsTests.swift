import Testing

@testable import StenoSpeakers

/// The voices at moments, between and among speakers.
struct VoiceMomentsTests {
    private let axes = [SpeakerEmbedding([1, 0, 0]), SpeakerEmbedding([0, 1, 0]), SpeakerEmbedding([0, 0, 1])]

    private func moments(_ voices: [Int?]) -> VoiceMoments {
        VoiceMoments(step: 10, voices: voices.map { $0.map { axes[$0] } })
    }

    @Test func momentsAreTakenInTurn() {
        var moments = moments([])
        let first = moments.open(before: 21)
        #expect(first == 0..<3)
        let more = moments.open(before: 50)
        #expect(more == 3..<5)
        let none = moments.open(before: 30)
        #expect(none.isEmpty && moments.voices.count == 5)
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

    /// While audio arrives, only speakers who were not known before have to be heard.
    @Test func aNewSpeakerIsHeardAtSomeMoments() {
        func unheard(_ voices: [Int?], isNew: [Bool]) -> Int? {
            moments(voices).unheard(axes, isNew: isNew, least: 3, share: 0.05)
        }
        let long = [Int?](repeating: 0, count: 60)
        #expect(unheard(long + [1, 1], isNew: [false, true, true]) == 2)
        #expect(unheard(long + [1, 1], isNew: [false, true, false]) == 1)
        #expect(unheard(long + [1, 1, 1], isNew: [false, true, false]) == nil)
        #expect(unheard(long, isNew: [false, false, false]) == nil)
        #expect(unheard([nil], isNew: [true, true, true]) == nil, "nothing is known")
    }
}
