import StenoCore
import Testing

@testable import StenoMoonshine

struct RecognizedTextTests {
    private func text(_ text: String, isComplete: Bool = true) -> RecognizedText {
        .spread(text, over: [Float](repeating: 0, count: 48_000), isComplete: isComplete)
    }

    /// What the real model writes for silence, hum and noise; as a word of its own, “You.” has a mark.
    @Test(arguments: [
        ("You", true), ("", true), ("♪♪", true), ("\u{FFFD}\u{FFFD}", true), ("You.", false), ("7", false),
    ])
    func textOfSilence(written: String, isSilence: Bool) { #expect(text(written).isSilence == isSilence) }

    @Test func aTextThatWasCutOffOrRepeatsItselfIsImplausible() {
        #expect(!text("We will see what we will see.").isImplausible)
        #expect(!text("No no no no.").isImplausible)
        #expect(text("We will see", isComplete: false).isImplausible)
        #expect(text("We" + String(repeating: " will", count: 12)).isImplausible)
        #expect(text(String(repeating: "We will see ", count: 6)).isImplausible)
    }
}
