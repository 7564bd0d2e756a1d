import Steno
import Testing

@testable import StenoUI

func segment(_ id: Int, _ text: String, isFinal: Bool = true, utterance: Int = 0) -> LiveSegment {
    LiveSegment(id: id, start: Double(id), end: Double(id) + 1, text: text, isFinal: isFinal, utterance: utterance)
}

struct CaptionLinesTests {
    private var captions = CaptionLines()

    @Test mutating func eachUtteranceIsALineOfFinalThenPartialText() {
        captions.update(finals: [segment(0, " Good")], partials: [segment(1, " morn", isFinal: false)])
        #expect(captions.lines.map(\.finalText) == ["Good"])
        #expect(captions.lines.map(\.partialText) == [" morn"])
        captions.update(
            finals: [segment(0, " Good"), segment(1, " morning.")],
            partials: [segment(2, " How", isFinal: false, utterance: 1)])
        #expect(captions.lines.map(\.text) == ["Good morning.", "How"])
        #expect(captions.lines.map(\.id) == [0, 1])
    }

    @Test mutating func aFullStopJoinsTheLineOfItsUtterance() {
        captions.update(finals: [segment(0, " Good")], partials: [])
        captions.update(finals: [segment(0, " Good.")], partials: [segment(1, " How", isFinal: false, utterance: 1)])
        #expect(captions.lines.map(\.text) == ["Good.", "How"])
        captions.update(finals: [segment(0, " Good."), segment(1, " How", utterance: 1)], partials: [])
        captions.update(
            finals: [segment(0, " Good."), segment(1, " How?", utterance: 1), segment(2, " So", utterance: 2)],
            partials: [])
        #expect(captions.lines.map(\.finalText) == ["Good.", "How?", "So"])
    }

    @Test mutating func partialTextThatVanishesLeavesNoLine() {
        captions.update(finals: [segment(0, " Yes.")], partials: [segment(1, " uh", isFinal: false, utterance: 1)])
        captions.update(finals: [segment(0, " Yes.")], partials: [])
        #expect(captions.lines.map(\.text) == ["Yes."])
    }

    @Test func updatesGiveTheSameLinesAsAFreshStart() {
        let all = (0..<40).map { segment($0, " w\($0)", utterance: $0 / 3) }
        var captions = CaptionLines()
        for count in 0..<all.count {
            let guess = (count..<min(all.count, count + count % 4)).map {
                segment($0, " w\($0)", isFinal: false, utterance: $0 / 3)
            }
            let finals = Array(all[..<count])
            captions.update(finals: finals, partials: guess)
            var fresh = CaptionLines()
            fresh.update(finals: finals, partials: guess)
            #expect(captions == fresh)
            #expect(
                captions.lines.map(\.text).joined(separator: " ")
                    == (finals + guess).map { $0.text.dropFirst() }.joined(separator: " "))
        }
    }

    @Test mutating func aNewSessionClearsTheLines() {
        captions.update(finals: [segment(0, " Old."), segment(1, " text.")], partials: [])
        captions.update(finals: [], partials: [])
        #expect(captions.lines.isEmpty)
        captions.update(finals: [segment(0, " New")], partials: [])
        #expect(captions.lines.map(\.text) == ["New"])
    }
}
