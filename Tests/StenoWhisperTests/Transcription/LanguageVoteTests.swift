import Testing

@testable import StenoCore
@testable import StenoWhisper

struct LanguageVoteTests {
    /// The vote after these windows, and which of them decided.
    private func vote(_ windows: [[Double]]) -> (LanguageDetection, decided: [Bool]) {
        var vote = LanguageVote(["en", "de", "fr"], threshold: 0.5)
        let decided = windows.map { vote.add($0) }
        return (vote.result, decided)
    }

    @Test func oneWindowAboveTheThresholdDecides() {
        let (result, decided) = vote([[0.4, 0.3, 0.3], [0.5, 0.3, 0.2], [0.1, 0.2, 0.7]])
        #expect(decided == [false, false, true])
        #expect(result.language == "fr")
        #expect(result.probability == 0.7)
        #expect(result.probabilities == ["en": 0.1, "de": 0.2, "fr": 0.7])
    }

    /// The winner's best window gives the probability, the last window the table, as in faster-whisper.
    @Test func otherwiseTheMajorityWins() {
        let (result, decided) = vote([[0.45, 0.3, 0.25], [0.2, 0.4, 0.1], [0.1, 0.35, 0.3]])
        #expect(decided == [false, false, false])
        #expect(result.language == "de")
        #expect(result.probability == 0.4)
        #expect(result.probabilities == ["en": 0.1, "de": 0.35, "fr": 0.3])
    }

    @Test func tiedLanguagesGoToTheEarlier() {
        #expect(vote([[0.1, 0.2, 0.3], [0.4, 0.2, 0.1], [0.41, 0.2, 0.1], [0.1, 0.2, 0.3]]).0.language == "fr")
    }

    @Test func equalProbabilitiesGoToTheFirstLanguage() { #expect(vote([[0.2, 0.4, 0.4]]).0.language == "de") }
}
