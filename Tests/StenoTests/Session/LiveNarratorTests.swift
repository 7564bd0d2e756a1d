import StenoCore
import Testing

@testable import Steno

/// The events of single actions.
struct LiveNarratorTests {
    private func word(_ text: String, _ start: Double) -> LiveWord {
        LiveWord(UtteranceWord(text: text, handle: [], start: start, end: start + 0.3), origin: 0)
    }

    /// The kinds and texts of the events of some actions.
    private func events(_ actions: LiveAction...) -> [String] {
        var narrator = LiveNarrator()
        return actions.indices.flatMap { index in
            let next = index + 1 < actions.count ? actions[index + 1] : nil
            return narrator.events(for: actions[index], before: next, position: 1).map {
                $0.kind.rawValue + ":" + $0.text
            }
        }
    }

    @Test func partialTextIsAnEventOnlyWhenItChanges() {
        let show = LiveAction.show([word(" one", 0)], utterance: 0)
        #expect(
            events(show, show, .show([word(" one", 0), word(" two", 0.4)], utterance: 0)) == [
                "partial: one", "partial: one two",
            ])
    }

    /// A reader must not show the text of an utterance that has ended without it.
    @Test func textThatDidNotBecomeFinalIsRemovedBeforeItsUtteranceEnds() {
        #expect(
            events(.show([word(" one", 0)], utterance: 0), .endUtterance(0)) == [
                "partial: one", "partial:", "utterance_end:",
            ])
        #expect(
            events(.commit([word(" one", 0)], utterance: 0), .endUtterance(0, mark: ".")) == [
                "final: one", "utterance_end:.",
            ])
    }
}
