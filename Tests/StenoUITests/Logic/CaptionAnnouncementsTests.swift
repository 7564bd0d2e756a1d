import Steno
import Testing

@testable import StenoUI

struct CaptionAnnouncementsTests {
    private var announcements = CaptionAnnouncements()

    @Test mutating func finalTextIsAnnouncedOnce() {
        #expect(announcements.next([], hasEnded: false) == nil)
        #expect(announcements.next([segment(0, " Good")], hasEnded: false) == nil, "the clause has not ended")
        let both = [segment(0, " Good"), segment(1, " morning.")]
        #expect(announcements.next(both, hasEnded: false) == "Good morning.")
        #expect(announcements.next(both, hasEnded: false) == nil)
    }

    @Test mutating func aLateFullStopEndsItsClause() {
        #expect(announcements.next([segment(0, " Good morning")], hasEnded: false) == nil)
        #expect(announcements.next([segment(0, " Good morning.")], hasEnded: false) == "Good morning.")
        #expect(announcements.next([segment(0, " Good morning.")], hasEnded: true) == nil)
    }

    @Test mutating func theLastWordsAreAnnouncedAtTheEnd() {
        #expect(announcements.next([segment(0, " Good bye")], hasEnded: false) == nil)
        #expect(announcements.next([segment(0, " Good bye")], hasEnded: true) == "Good bye")
    }

    @Test mutating func longTextWithoutPunctuationIsAnnouncedAnyway() {
        let words = (0..<60).map { segment($0, " word") }
        var announced: [String] = []
        for count in 1...60 {
            if let text = announcements.next(Array(words[..<count]), hasEnded: false) { announced.append(text) }
        }
        #expect(announced.count == 2)
        #expect(announced.allSatisfy { $0.count >= CaptionAnnouncements.longest })
    }

    @Test mutating func existingTextIsNotAnnounced() {
        announcements.skip([segment(0, " One.")])
        #expect(announcements.next([segment(0, " One.")], hasEnded: true) == nil)
        #expect(announcements.next([segment(0, " One."), segment(1, " Two.")], hasEnded: false) == "Two.")
    }

    @Test mutating func aNewSessionStartsOver() {
        _ = announcements.next([segment(0, " One."), segment(1, " Two")], hasEnded: false)
        #expect(announcements.next([], hasEnded: false) == nil)
        #expect(announcements.next([segment(0, " Three.")], hasEnded: false) == "Three.")
    }
}
