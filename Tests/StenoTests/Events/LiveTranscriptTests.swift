import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore

struct LiveTranscriptTests {
    @Test func aPartialIsReplacedAndAFinalStays() {
        var live = LiveTranscript()
        let partial = liveSegment(0, " Hello word", 0, isFinal: false)
        let isNews = live.apply(.init(.partial(text: " Hello word", segments: [partial]), position: 1))
        #expect(isNews)
        #expect(live.text == "Hello word" && live.finalText.isEmpty)
        let isNewsAgain = live.apply(.init(.partial(text: " Hello word", segments: [partial]), position: 1.5))
        #expect(!isNewsAgain)
        let hello = liveSegment(0, " Hello", 0)
        live.apply(.init(.final(text: " Hello", segments: [hello]), position: 2))
        #expect(live.segments == [hello] && live.segments[0].id == partial.id)
        live.apply(
            .init(.partial(text: " world", segments: [liveSegment(1, " world", 1, isFinal: false)]), position: 2))
        #expect(live.text == "Hello world")
        live.apply(.init(.partial(text: "", segments: []), position: 3))
        #expect(live.text == "Hello" && live.position == 3)
    }

    @Test func aFullStopJoinsTheLastWordOfItsUtterance() {
        var live = LiveTranscript()
        live.apply(.init(.final(text: " Hello", segments: [liveSegment(0, " Hello", 0)]), position: 2))
        let isNews = live.apply(.init(.utteranceEnd(0, mark: "."), position: 3))
        #expect(isNews && live.finalText == "Hello." && live.finals.map(\.text) == [" Hello."])
        #expect(live.finals[0].words.map(\.rawText) == [" Hello."] && live.finals[0].end == 1)
        let isNewsOfAnother = live.apply(.init(.utteranceEnd(1, mark: "?"), position: 4))
        let isNewsOfNothing = live.apply(.init(.utteranceEnd(0), position: 4))
        #expect(!isNewsOfAnother && !isNewsOfNothing && live.finalText == "Hello.")
    }

    @Test func aMarkBeforeTheNextWordJoinsTheWordBeforeItInFiles() {
        var live = LiveTranscript()
        live.apply(.init(.final(text: " Hello", segments: [liveSegment(0, " Hello", 0)]), position: 2))
        var next = liveSegment(1, ", you", 1)
        next.words = [",", " you"].map { Word(rawText: $0, start: 1, end: 2, probability: 1) }
        live.apply(.init(.final(text: ", you", segments: [next]), position: 3))
        let words = live.transcript().segments.flatMap { $0.words ?? [] }
        #expect(live.finalText == "Hello, you" && words.map(\.rawText) == [" Hello,", " you"])
    }

    @Test func aFinalEventBringsThePartialTextAfterIt() {
        var live = LiveTranscript()
        let rest = liveSegment(1, " world", 1, isFinal: false)
        live.apply(.init(.partial(text: " Hello word", segments: [liveSegment(0, " Hello word", 0)]), position: 1))
        live.apply(
            .init(.final(text: " Hello", segments: [liveSegment(0, " Hello", 0)], partials: [rest]), position: 2))
        // A view drawn between two events shows no gap.
        #expect(live.text == "Hello world" && live.segments.map(\.id) == [0, 1])
        let isNews = live.apply(.init(.partial(text: " world", segments: [rest]), position: 2))
        #expect(!isNews)
    }

    /// The snapshot of a session that continues another one has only its own text.
    @Test func aSnapshotKeepsTheTextOfTheSessionBefore() {
        var before = LiveTranscript()
        before.apply(.init(.final(text: " Before.", segments: [liveSegment(0, " Before.", 0)]), position: 9))
        var session = LiveTranscript(from: SessionStart(time: 9, segment: 1, utterance: 1))
        var view = before
        view.apply(.init(.snapshot(session), position: 9))
        #expect(view.finalText == "Before." && view.position == 9)
        let now = liveSegment(1, " Now", 10, utterance: 1)
        session.apply(.init(.final(text: " Now", segments: [now]), position: 11))
        for _ in 0..<2 {
            view.apply(.init(.snapshot(session), position: 11))
            #expect(view.finalText == "Before. Now" && view.finals.map(\.id) == [0, 1])
            #expect(view.position == 11)
        }
        session.apply(.init(.cleared, position: 12))
        view.apply(.init(.snapshot(session), position: 12))
        #expect(view.finals.isEmpty && view.finalText.isEmpty, "clearing includes the text before")
    }

    /// All positions of a continued session are rounded alike, so that what adjoined still does.
    @Test func positionsAreRoundedToTheNearestSample() {
        let gap = AudioDiscontinuity(.filled, position: 16_000, length: 10)
        let moved = TranscriptionEvent(.discontinuity(gap), position: 1).moved(to: SessionStart(time: 1.000_05))
        #expect(moved.payload == .discontinuity(AudioDiscontinuity(.filled, position: 32_001, length: 10)))
        #expect(moved.position == 2.000_05)
    }

    /// After a clear that a slow reader missed, the same number of segments is not the same text.
    @Test(arguments: [nil, 3]) func aSnapshotWithDifferentTextIsNews(earlier: Int?) {
        var view = LiveTranscript(), session = LiveTranscript()
        if let earlier {
            view.apply(
                .init(.final(text: " Before.", segments: [liveSegment(earlier - 1, " Before.", 0)]), position: 1))
            session = LiveTranscript(from: SessionStart(time: 1, segment: earlier, utterance: 1))
        }
        let id = earlier ?? 0
        view.apply(.init(.final(text: " Old.", segments: [liveSegment(id, " Old.", 2)]), position: 3))
        session.apply(.init(.final(text: " New.", segments: [liveSegment(id, " New.", 2)]), position: 5))
        let (isNews, change) = view.update(with: .init(.snapshot(session), position: 5))
        #expect(isNews && view.finalText.hasSuffix("New.") && change == .replace(view.finals))
        let isNewsAgain = view.apply(.init(.snapshot(session), position: 5))
        #expect(!isNewsAgain)
    }

    @Test func aSnapshotSaysWhatItAddsToTheFinalText() {
        let one = liveSegment(0, " One", 0), two = liveSegment(1, " two", 1)
        var ended = one
        ended.join(".")
        let cases: [([LiveSegment], LiveTranscript.FinalChange)] = [
            ([one], .none), ([ended], .append(mark: ".", [])), ([ended, two], .append(mark: ".", [two])),
            ([two], .replace([two])), ([], .replace([])),
        ]
        for (finals, change) in cases {
            var live = LiveTranscript(stored: [one], position: 1)
            let snapshot = LiveTranscript(stored: finals, position: 2)
            #expect(live.update(with: .init(.snapshot(snapshot), position: 2)).finals == change)
            #expect(live.finals == finals)
        }
    }

    @Test func aTranscriptHasASegmentForEachUtterance() {
        var live = LiveTranscript()
        for (id, text, utterance) in [(0, " One", 0), (1, " two.", 0), (2, " Three.", 1)] {
            live.apply(
                .init(
                    .final(
                        text: text, segments: [liveSegment(id, text, Double(id), utterance: utterance)]),
                    position: Double(id + 1)))
        }
        let transcript = live.transcript(language: "en")
        #expect(transcript.segments.map(\.text) == [" One two.", " Three."])
        #expect(transcript.segments.map(\.start) == [0, 2] && transcript.segments.map(\.end) == [2, 3])
        #expect(transcript.text == "One two. Three." && transcript.duration == 3)
        #expect(TranscriptFormat.srt.text(of: transcript).contains("00:00:00,000 --> 00:00:02,000\nOne two."))
    }
}
