import Foundation
import StenoTestSupport
import StenoWhisper
import Testing

@testable import Steno
@testable import StenoCore

/// Events as lines of JSON, there and back.
struct EventLineTests {
    private static let segment = LiveSegment(
        id: 4, start: 1.5, end: 2.5, text: " “Hi”\n", isFinal: true,
        words: [Word(rawText: " “Hi”\n", start: 1.5, end: 2.5, probability: 0.75)], utterance: 3)
    private static let tail = LiveSegment(
        id: 5, start: 2.5, end: 3, text: " you", isFinal: false, words: [], utterance: 3)

    private static var text: LiveTranscript {
        LiveTranscript(
            finals: [segment], partials: [tail], language: LanguageDetection(language: "en", probability: 0.5),
            position: 4, state: .running)
    }

    private static let events: [TranscriptionEvent] = [
        .init(.partial(text: "", segments: []), position: 1),
        .init(.partial(text: " you", segments: [tail]), position: 1.25),
        .init(.final(text: " “Hi”\n", segments: [segment]), position: 1.5),
        .init(.final(text: " “Hi”\n “Hi”\n", segments: [segment, segment]), position: 1.5),
        .init(.final(text: " “Hi”\n", segments: [segment], partials: [tail]), position: 1.5),
        .init(.utteranceEnd(3), position: 2), .init(.utteranceEnd(3, mark: "."), position: 2),
        .init(.level(AudioLevel(rms: -20.5, peak: -3)), position: 2),
        .init(.speech(isSpeaking: true, time: 1.875), position: 2),
        .init(.language(LanguageDetection(language: "de", probability: 0.25)), position: 2),
        .init(.state(.finishing), position: 2), .init(.lag(2.5), position: 2),
        .init(.discontinuity(AudioDiscontinuity(.filled, position: 16_000, length: 8000)), position: 2),
        .init(.skipped(1..<2.5, .tooShort), position: 3),
        .init(.skipped(1..<2, SkipReason(rawValue: "of a later version")), position: 3),
        .init(
            .hallucination(
                GuardAction(kind: .noSpeech, start: 1, end: 2, text: "Thanks", reason: "no speech")), position: 3),
        .init(.error(TranscriptionFailure("The disk is full.", code: .outputFailed, isFatal: false)), position: 3),
        .init(.error(TranscriptionFailure("Something else")), position: 3),
        .init(.snapshot(text), position: 4), .init(.cleared, position: 5),
    ]

    @Test(arguments: events) func anEventSurvivesJSON(event: TranscriptionEvent) throws {
        var event = event
        event.sequence = 12
        #expect(!event.jsonLine.contains("\n"))
        #expect(try TranscriptionEvent(jsonLine: event.jsonLine) == event)
    }

    @Test func linesAreAsDocumented() {
        #expect(
            TranscriptionEvent(.final(text: " Hi", segments: [Self.segment]), position: 2.4).jsonLine
                == #"{"type": "final", "sequence": 0, "position": 2.4, "id": 4, "utterance": 3, "start": 1.5, "end": 2.5, "#
                + #""text": " Hi", "words": [{"word": " “Hi”\n", "start": 1.5, "end": 2.5, "probability": 0.75}]}"#)
        #expect(
            TranscriptionEvent(.utteranceEnd(3, mark: "."), position: 9).jsonLine
                == #"{"type": "utterance_end", "sequence": 0, "position": 9.0, "utterance": 3, "text": "."}"#)
        #expect(
            TranscriptionEvent(.lag(4.25), position: 9).jsonLine
                == #"{"type": "lag", "sequence": 0, "position": 9.0, "lag": 4.25}"#)
    }

    @Test func kindsFromALaterVersionAreReadByTheirNames() throws {
        let event = try TranscriptionEvent(jsonLine: #"{"type": "applause", "position": 3, "loudness": 9}"#)
        #expect(event.kind == TranscriptionEvent.Kind(rawValue: "applause") && event.position == 3)
        #expect(event.text.isEmpty && event.segments.isEmpty && event.state == nil)
        let line =
            #"{"type": "guard", "position": 3, "kind": "applause", "start": 1, "end": 2, "text": " a", "reason": "b"}"#
        let action = try #require(try TranscriptionEvent(jsonLine: line).hallucination)
        #expect(action.kind.rawValue == "applause")
        #expect(try JSONDecoder().decode(GuardAction.self, from: JSONEncoder().encode(action)) == action)
    }

    @Test(arguments: [
        "", "{}", "[]", "null", #"{"type": "final"}"#, #"{"type": "final", "position": 1}"#,
        #"{"type": "state", "position": 1, "state": "flying"}"#,
        #"{"type": "skipped", "position": 1, "reason": "overload", "start": 2, "end": 1}"#,
        #"{"type": "discontinuity", "position": 1, "kind": "filled", "start": 1e300, "length": 1}"#,
        #"{"type": "final", "position": 1, "id": 9223372036854775807, "start": 0, "end": 1, "text": " a"}"#,
        #"{"type": "final", "position": 1, "id": -1, "start": 0, "end": 1, "text": " a"}"#,
    ])
    func invalidLinesAreErrors(line: String) {
        #expect { try TranscriptionEvent(jsonLine: line) } throws: { ($0 as? StenoError)?.code == .invalidOption }
    }
}

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
            let segment = liveSegment(id, text, utterance: utterance)
            live.apply(.init(.final(text: text, segments: [segment]), position: Double(id + 1)))
        }
        let transcript = live.transcript(language: "en")
        #expect(transcript.segments.map(\.text) == [" One two.", " Three."])
        #expect(transcript.segments.map(\.start) == [0, 2] && transcript.segments.map(\.end) == [2, 3])
        #expect(transcript.text == "One two. Three." && transcript.duration == 3)
        #expect(TranscriptFormat.srt.text(of: transcript).contains("00:00:00,000 --> 00:00:02,000\nOne two."))
    }
}
