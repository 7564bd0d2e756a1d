import Testing

@testable import StenoSpeakers

/// The speakers of a window's local speakers.
struct SpeakerChoiceTests {
    private func choose(_ similarities: [[Float]], sharing: Float = 0.3) -> [Int] {
        SpeakerChoice.best(similarities, sharing: sharing)
    }

    @Test func similarityDecides() {
        #expect(choose([[-0.5, -0.1, -0.9]]) == [1])
        #expect(choose([[0.9, 0.1], [0.2, 0.8]]) == [0, 1])
    }

    @Test func localSpeakersAreDifferentPeople() {
        #expect(choose([[0.9, 0.1], [0.5, 0.3]]) == [0, 1])
        #expect(choose([[0.9, 0.7], [0.8, 0.2]]) == [1, 0], "0.7 + 0.8 is more than 0.9 + 0.2")
    }

    @Test func onePersonMayBeTwoLocalSpeakers() {
        #expect(choose([[0.9, 0.1], [0.8, 0.2]]) == [0, 0])
        #expect(choose([[0.9, 0.1], [0.8, 0.2]], sharing: 0.7) == [0, 1])
        #expect(choose([[0.2], [0.9], [0.3]]) == [0, 0, 0])
    }

    @Test func withoutSpeakersNobodySpeaks() {
        #expect(choose([[], []]).isEmpty)
        #expect(choose([]).isEmpty)
    }
}
