import Testing

@testable import StenoSpeakers

/// The speakers of a window's local speakers.
struct SpeakerChoiceTests {
    @Test(
        arguments: [
            // Similarity decides, but local speakers are different people: 0.7 + 0.8 is more than 0.9 + 0.2.
            ([[-0.5, -0.1, -0.9]], 0.3, [1]), ([[0.9, 0.1], [0.2, 0.8]], 0.3, [0, 1]),
            ([[0.9, 0.1], [0.5, 0.3]], 0.3, [0, 1]), ([[0.9, 0.7], [0.8, 0.2]], 0.3, [1, 0]),
            // One person may be two local speakers.
            ([[0.9, 0.1], [0.8, 0.2]], 0.3, [0, 0]), ([[0.9, 0.1], [0.8, 0.2]], 0.7, [0, 1]),
            ([[0.2], [0.9], [0.3]], 0.3, [0, 0, 0]),
            // Without speakers nobody speaks.
            ([[], []], 0.3, []), ([], 0.3, []),
        ] as [([[Float]], Float, [Int])])
    func theBestSpeakersAreChosen(similarities: [[Float]], sharing: Float, expected: [Int]) {
        #expect(SpeakerChoice.best(similarities, sharing: sharing) == expected)
    }
}
