import Foundation
import Steno
import StenoCore
import StenoVoiceActivity
import StenoWhisper
import Testing

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
