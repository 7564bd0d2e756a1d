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

struct CaptionStatusTests {
    private let texts = InterfaceTexts(preferring: ["en"])

    private func text(
        _ status: CaptionStatus, _ state: TranscriptionState, speaking: Bool = false, detail: String? = nil
    ) -> String {
        status.text(state, isSpeaking: speaking, detail: detail, in: texts)
    }

    @Test func everyStateHasAText() {
        let all = TranscriptionState.allCases.map { text(CaptionStatus(), $0) }
        #expect(all.allSatisfy { !$0.isEmpty })
        #expect(Set(all).count == TranscriptionState.allCases.count)
        #expect(text(CaptionStatus(), .running) == "Listening")
        #expect(text(CaptionStatus(), .running, speaking: true) == "Hearing speech")
        #expect(text(CaptionStatus(), .preparing, detail: "Loading Whisper.") == "Loading Whisper.")
        #expect(text(CaptionStatus(), .failed, detail: "No microphone.") == "Stopped: No microphone.")
    }

    @Test func aMutedMicrophoneIsReportedAfterTwoSecondsAndAQuietRoomIsNot() {
        var status = CaptionStatus()
        var count = 0
        func hear(_ level: AudioLevel?, times: Int = 1) {
            for _ in 0..<times {
                count += 1
                status.hear(level, count: count)
            }
        }
        hear(AudioLevel(rms: -70, peak: -62), times: 200)
        #expect(text(status, .running) == "Listening")
        hear(AudioLevel(rms: -120, peak: -120), times: CaptionStatus.silentLevels - 1)
        #expect(text(status, .running) == "Listening")
        hear(AudioLevel(rms: -120, peak: -120))
        #expect(text(status, .running) == "No audio. Is the microphone muted?")
        hear(AudioLevel(rms: -50, peak: -40))
        #expect(text(status, .running) == "Listening")
    }

    @Test func levelsBetweenTwoRedrawsCount() {
        var status = CaptionStatus()
        let silence = AudioLevel(rms: -120, peak: -120)
        status.hear(AudioLevel(rms: -30, peak: -20), count: 100)
        status.hear(silence, count: 100 + CaptionStatus.silentLevels - 1)
        #expect(text(status, .running) == "Listening")
        status.hear(silence, count: 100 + CaptionStatus.silentLevels)
        #expect(text(status, .running) == "No audio. Is the microphone muted?")
        status.hear(nil, count: 500)
        #expect(text(status, .running) == "Listening")
        status.hear(silence, count: 500 + CaptionStatus.silentLevels - 1)
        #expect(text(status, .running) == "Listening", "levels before nil do not count")
    }
}

struct CaptionAnnouncementsTests {
    private var announcements = CaptionAnnouncements()

    @Test mutating func finalTextIsAnnouncedOnce() {
        #expect(announcements.next([], hasEnded: false) == nil)
        #expect(announcements.next([segment(0, " Good")], hasEnded: false) == nil, "the clause has not ended")
        let both = [segment(0, " Good"), segment(1, " morning.")]
        #expect(announcements.next(both, hasEnded: false) == "Good morning.")
        #expect(announcements.next(both, hasEnded: false) == nil)
    }

    @Test mutating func aLateFullStopOrTheEndEndsAClause() {
        #expect(announcements.next([segment(0, " Good morning")], hasEnded: false) == nil)
        #expect(announcements.next([segment(0, " Good morning.")], hasEnded: false) == "Good morning.")
        #expect(announcements.next([segment(0, " Good morning.")], hasEnded: true) == nil)
        announcements = CaptionAnnouncements()
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

struct CaptionThemeTests {
    @Test(arguments: CaptionTheme.allCases, [true, false])
    func everyThemeHasEnhancedContrast(_ theme: CaptionTheme, isDark: Bool) {
        let colors = theme.colors(isDark: isDark)
        #expect(colors.text.contrast(with: colors.background) >= 7, "WCAG 2.2, 1.4.6")
    }

    @Test func contrastFollowsWCAG() {
        #expect(abs(ThemeColor.white.contrast(with: .black) - 21) < 1e-9)
        #expect(abs(ThemeColor.black.contrast(with: .white) - 21) < 1e-9)
        #expect(abs(ThemeColor.white.contrast(with: .white) - 1) < 1e-9)
        // #777777 on white is the well-known grey that just fails 4.5:1.
        let grey = ThemeColor(red: 119.0 / 255, green: 119.0 / 255, blue: 119.0 / 255)
        #expect(abs(grey.contrast(with: .white) - 4.48) < 0.01)
    }
}

struct ScrollFollowingTests {
    private var following = ScrollFollowing()

    @Test mutating func growingTextIsFollowed() {
        for height in stride(from: 100.0, through: 2000, by: 50) {
            following.measure(offset: max(0, height - 550), contentHeight: height, viewHeight: 500)
            #expect(following.isFollowing, "the end moved away, and the reader did nothing")
            following.measure(offset: max(0, height - 500), contentHeight: height, viewHeight: 500)
        }
        #expect(following.isFollowing)
    }

    @Test mutating func scrollingBackStopsFollowing() {
        following.show(lineCount: 10)
        following.measure(offset: 500, contentHeight: 1000, viewHeight: 500)
        following.measure(offset: 400, contentHeight: 1000, viewHeight: 500)
        #expect(!following.isFollowing)
        following.show(lineCount: 12)
        following.measure(offset: 400, contentHeight: 1100, viewHeight: 500)
        following.show(lineCount: 13)
        #expect(!following.isFollowing && following.unreadLines == 3)
    }

    @Test mutating func theEndAndTheButtonResumeFollowing() {
        following.measure(offset: 500, contentHeight: 1000, viewHeight: 500)
        following.measure(offset: 300, contentHeight: 1000, viewHeight: 500)
        #expect(!following.isFollowing)
        following.measure(offset: 495, contentHeight: 1000, viewHeight: 500)
        #expect(following.isFollowing, "the reader scrolled to the end")
        following.measure(offset: 300, contentHeight: 1000, viewHeight: 500)
        following.show(lineCount: 3)
        following.returnToLive()
        #expect(following.isFollowing && following.unreadLines == 0)
    }

    @Test mutating func scrollingForwardResumesOnlyAtTheEnd() {
        following.measure(offset: 500, contentHeight: 1000, viewHeight: 500)
        following.measure(offset: 100, contentHeight: 1000, viewHeight: 500)
        for offset in [200.0, 350, 480, 487] {
            following.measure(offset: offset, contentHeight: 1000, viewHeight: 500)
            #expect(!following.isFollowing, "\(offset)")
        }
        following.measure(offset: 488, contentHeight: 1000, viewHeight: 500)
        #expect(following.isFollowing)
    }

    @Test mutating func smallerTextAndResizingAreNotScrolling() {
        following.measure(offset: 500, contentHeight: 1000, viewHeight: 500)
        following.measure(offset: 250, contentHeight: 800, viewHeight: 500)
        #expect(following.isFollowing, "the text became shorter")
        following.measure(offset: 100, contentHeight: 800, viewHeight: 600)
        #expect(following.isFollowing, "the view became higher")
        following.measure(offset: 50, contentHeight: 800, viewHeight: 600)
        #expect(!following.isFollowing)
    }

    @Test mutating func aNewSessionIsFollowed() {
        following.show(lineCount: 20)
        following.measure(offset: 500, contentHeight: 1000, viewHeight: 500)
        following.measure(offset: 100, contentHeight: 1000, viewHeight: 500)
        following.show(lineCount: 0)
        #expect(following.isFollowing && following.unreadLines == 0)
    }
}
