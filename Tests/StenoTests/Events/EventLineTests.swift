import Foundation
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

    @Test func aKindFromALaterVersionIsReadByItsName() throws {
        let event = try TranscriptionEvent(jsonLine: #"{"type": "applause", "position": 3, "loudness": 9}"#)
        #expect(event.kind == TranscriptionEvent.Kind(rawValue: "applause") && event.position == 3)
        #expect(event.text.isEmpty && event.segments.isEmpty && event.state == nil)
    }

    @Test func aKindOfHallucinationFromALaterVersionIsReadByItsName() throws {
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
