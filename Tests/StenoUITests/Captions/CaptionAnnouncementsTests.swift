import Steno
import Testing

@testable import StenoUI

struct CaptionAnnouncementsTests {
    @Test func finalTextIsAnnouncedOnce() {
        var announcements = CaptionAnnouncements()
        #expect(announcements.next([], hasEnded: false) == nil)
        #expect(announcements.next([segment(0, " Good")], hasEnded: false) == nil, "the clause has not ended")
        let both = [segment(0, " Good"), segment(1, " morning.")]
        #expect(announcements.next(both, hasEnded: false) == "Good morning.")
        #expect(announcements.next(both, hasEnded: false) == nil)
    }

    @Test func aFullStopEndsTheClauseOfItsWord() {
        var announcements = CaptionAnnouncements()
        #expect(announcements.next([segment(0, " Good morning")], hasEnded: false) == nil)
        #expect(announcements.next([segment(0, " Good morning.")], hasEnded: false) == "Good morning.")
        #expect(announcements.next([segment(0, " Good morning.")], hasEnded: true) == nil)
    }

    @Test func theLastWordsAreAnnouncedAtTheEnd() {
        var announcements = CaptionAnnouncements()
        #expect(announcements.next([segment(0, " Good bye")], hasEnded: false) == nil)
        #expect(announcements.next([segment(0, " Good bye")], hasEnded: true) == "Good bye")
    }

    @Test func longTextWithoutPunctuationIsAnnouncedAnyway() {
        var announcements = CaptionAnnouncements()
        let words = (0..<60).map { segment($0, " word") }
        var announced: [String] = []
        for count in 1...60 {
            if let text = announcements.next(Array(words[..<count]), hasEnded: false) { announced.append(text) }
        }
        #expect(announced.count == 2)
        #expect(announced.allSatisfy { $0.count >= CaptionAnnouncements.longest })
    }

    @Test func whatWasThereBeforeIsNotAnnounced() {
        var announcements = CaptionAnnouncements()
        announcements.skip([segment(0, " One.")])
        #expect(announcements.next([segment(0, " One.")], hasEnded: true) == nil)
        #expect(announcements.next([segment(0, " One."), segment(1, " Two.")], hasEnded: false) == "Two.")
    }

    @Test func aNewSessionStartsAnew() {
        var announcements = CaptionAnnouncements()
        _ = announcements.next([segment(0, " One."), segment(1, " Two")], hasEnded: false)
        #expect(announcements.next([], hasEnded: false) == nil)
        #expect(announcements.next([segment(0, " Three.")], hasEnded: false) == "Three.")
    }
}
