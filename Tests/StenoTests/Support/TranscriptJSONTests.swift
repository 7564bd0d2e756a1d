import Foundation
import Steno
import Testing

@testable import StenoCore

@Suite struct TranscriptJSONTests {
    private let segment = Segment(
        id: 3, start: 30.1 + 0.2, end: 32.1234567, text: " \"Ça\"\t\u{1}\n 日本",
        whisper: WhisperSegmentDetails(
            seek: 3000, tokens: [50364, 7], temperature: 0.2, averageLogProbability: -0.123456789012,
            compressionRatio: 1e-5, noSpeechProbability: 1))

    private func json(_ segments: Segment...) -> String {
        TranscriptFormat.json.text(of: Transcript(language: "en", duration: 1, segments: segments))
    }

    @Test func keysHaveTheOrderOfOpenAIWhisperAndTimesAreShort() {
        let transcript = Transcript(language: "fr", languageProbability: 0.5, duration: 61, segments: [segment])
        #expect(
            TranscriptFormat.json.text(of: transcript) == #"""
                {
                  "text": "\"Ça\"\t\u0001\n 日本",
                  "language": "fr",
                  "language_probability": 0.5,
                  "duration": 61.0,
                  "segments": [
                    {"id": 3, "seek": 3000, "start": 30.3, "end": 32.123, "text": " \"Ça\"\t\u0001\n 日本", "tokens": [50364, 7], "temperature": 0.2, "avg_logprob": -0.123456789012, "compression_ratio": 1e-05, "no_speech_prob": 1.0}
                  ]
                }

                """#)
    }

    @Test func wordsAndTheOwnLanguageAreWrittenIfThereAreAny() {
        var spoken = segment
        spoken.language = "fr"
        #expect(json(spoken).contains(#""no_speech_prob": 1.0, "language": "fr"}"#))
        spoken.words = [Word(rawText: " hi", start: 0.1, end: 0.30000000000000004, probability: 0.75)]
        #expect(json(spoken).contains(#""words": [{"word": " hi", "start": 0.1, "end": 0.3, "probability": 0.75}]"#))
        #expect(json().contains(#""segments": []"#))
    }

    @Test func guardActionsAreWrittenIfGuardsAreOn() throws {
        var transcript = Transcript(language: "en", languageProbability: 1, duration: 1, segments: [])
        #expect(!TranscriptFormat.json.text(of: transcript).contains("guards"))
        transcript.guards = []
        #expect(TranscriptFormat.json.text(of: transcript).hasSuffix("\"segments\": [],\n  \"guards\": []\n}\n"))
        transcript.guards = [GuardAction(kind: .noSpeech, start: 1.25, end: 2, text: " \"You.\"", reason: "none")]
        let text = TranscriptFormat.json.text(of: transcript)
        #expect(
            text.contains(#"{"kind": "no_speech", "start": 1.25, "end": 2.0, "text": " \"You.\"", "reason": "none"}"#))
        #expect(try JSONDecoder().decode(Transcript.self, from: Data(text.utf8)) == transcript)
    }

    /// JSON has no such numbers, and a file that no reader opens would be worse than a missing number.
    @Test(arguments: [Double.nan, .infinity, -.infinity]) func nonFiniteNumbersBecomeNull(value: Double) throws {
        var odd = segment
        odd.whisper?.averageLogProbability = value
        let text = json(odd)
        #expect(text.contains(#""avg_logprob": null"#))
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(text.utf8)) }
    }
}
