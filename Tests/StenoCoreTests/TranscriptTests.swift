import Foundation
import StenoTestSupport
import Testing

@testable import StenoCore

@Suite struct TranscriptTests {
    private let transcript = Transcript(
        language: "en", duration: 4,
        segments: [
            Segment(id: 0, start: 0, end: 1.5, text: " Ask not", words: timed((" Ask", 0.5, 0.9), (" not", 1, 1.5))),
            Segment(id: 1, start: 2, end: 3, text: " what."),
        ])

    @Test func theTextJoinsTheSegments() {
        var transcript = transcript
        #expect(transcript.text == "Ask not what.")
        transcript.segments.removeLast()
        #expect(transcript.text == "Ask not")
    }

    @Test func wordsAreFoundByTheirTime() {
        #expect(transcript.words.map(\.text) == ["Ask", "not"])
        #expect(transcript.word(at: 0.5)?.text == "Ask")
        #expect(transcript.word(at: 0.95) == nil)
        #expect(transcript.word(at: 1.2)?.text == "not")
        #expect(transcript.word(at: 1.5) == nil)
    }

    @Test func itsJSONIsReadBack() throws {
        let data = try JSONEncoder().encode(transcript)
        #expect(try JSONDecoder().decode(Transcript.self, from: data) == transcript)
        let json = String(decoding: data, as: UTF8.self)
        #expect(json.contains(#""text":"Ask not what.""#) && json.contains(#""word":" Ask""#))
    }

    /// The output of `whisper --output_format json` has no duration and no language probability.
    @Test func openAIWhispersJSONIsRead() throws {
        let json = """
            {"text": " Ask not.", "segments": [{"id": 0, "seek": 0, "start": 0.0, "end": 7.6, "text": " Ask not.",
             "tokens": [50364, 6278, 406, 13, 50744], "temperature": 0.0, "avg_logprob": -0.23, "compression_ratio": 1.1,
             "no_speech_prob": 0.01, "words": [{"word": " Ask", "start": 0.1, "end": 0.4, "probability": 0.9}]}],
             "language": "en"}
            """
        let transcript = try JSONDecoder().decode(Transcript.self, from: Data(json.utf8))
        #expect(transcript.text == "Ask not.")
        #expect(transcript.duration == 7.6)
        #expect(transcript.languageProbability == 1)
        #expect(transcript.segments.first?.whisper?.tokens.count == 5)
        #expect(transcript.words.map(\.text) == ["Ask"])
        // Text without segments is kept.
        let plain = Data(#"{"text": "Ask not.", "language": "en", "duration": 3}"#.utf8)
        #expect(try JSONDecoder().decode(Transcript.self, from: plain).text == "Ask not.")
    }
}
