import Foundation
import Steno
import StenoVoiceActivity
import StenoWhisper
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

/// The JSON of every options type has all options under their Swift names.
struct OptionsCodableTests {
    private func expectAllFields(
        _ options: some Codable & Equatable, except hidden: Set<String> = [],
        location: SourceLocation = #_sourceLocation
    ) throws {
        let data = try JSONEncoder().encode(options)
        let object = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any], sourceLocation: location)
        #expect(Set(object.keys) == names(options).subtracting(hidden), sourceLocation: location)
        let read = try JSONDecoder().decode(type(of: options), from: data)
        #expect(read == options, sourceLocation: location)
    }

    /// The names of the properties; those of embedded settings are options like the others.
    private func names(_ options: Any) -> Set<String> {
        var found: Set<String> = []
        for (label, value) in Mirror(reflecting: options).children {
            if value is SpeechSettings { found.formUnion(names(value)) } else if let label { found.insert(label) }
        }
        return found
    }

    @Test func noOptionIsMissing() throws {
        try expectAllFields(WhisperOptions().with { ($0.voiceActivity, $0.guards) = (.init(), .init()) })
        try expectAllFields(LiveOptions(language: "en"))
        try expectAllFields(GuardOptions().with { $0.silence = false })
        try expectAllFields(VoiceActivityOptions().with { $0.maxSpeechSeconds = 20 })
        try expectAllFields(VoiceActivityOptions(), except: ["maxSpeechSeconds"])
        try expectAllFields(SubtitleOptions.readable)
        try expectAllFields(CueSplitting().with { $0.lineCount = 1 })
        // The options of one family are encoded by themselves.
        let options = TranscriptionOptions(language: "de").with {
            ($0.vocabulary, $0.prompt) = (["Zwettl"], "Servus.")
            ($0.clips, $0.speakers) = ([1..<2], SpeakerOptions())
        }
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(options)) as? [String: Any]
        #expect(Set(try #require(object).keys) == names(options).subtracting(["own"]))
    }

    @Test func theNumberOfSpeakersIsKept() throws {
        for options in [SpeakerOptions(), SpeakerOptions(count: 3), SpeakerOptions(counts: 2...5)] {
            #expect(try JSONDecoder().decode(SpeakerOptions.self, from: JSONEncoder().encode(options)) == options)
        }
        let reversed = Data(#"{"least": 5, "most": 2}"#.utf8)
        #expect(throws: DecodingError.self) { _ = try JSONDecoder().decode(SpeakerOptions.self, from: reversed) }
        #expect(throws: StenoError.self) { try SpeakerOptions(counts: 2...21).validate() }
        #expect(throws: StenoError.self) { try SpeakerOptions(count: 0).validate() }
    }
}
