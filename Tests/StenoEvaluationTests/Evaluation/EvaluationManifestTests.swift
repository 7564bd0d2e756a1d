import Foundation
import StenoTestSupport
import Testing

@testable import Steno
@testable import StenoCore
@testable import StenoEvaluation

@Suite struct EvaluationManifestTests {
    private let folder = TemporaryFolder.ofSuite()

    private func message(_ location: URL) -> String {
        let error = #expect(throws: StenoError.self) { try EvaluationManifest.load(location) }
        return error?.message ?? ""
    }

    @Test func linesNamePathsFromTheirFolder() throws {
        let file = try folder.write(
            """
            \u{FEFF}{"file": "a/one.wav", "text": "One.", "language": "English", "more": [1]}\r

            {"audio_filepath": "/two.flac", "text": "line\u{2028}two", "duration": 3.5}
            """, to: "set/test.jsonl")
        let base = file.deletingLastPathComponent()
        let items = try EvaluationManifest.load(file).items
        #expect(items.map(\.name) == ["a/one.wav", "/two.flac"])
        #expect(items.map(\.audio.path) == [base.path + "/a/one.wav", "/two.flac"])
        #expect(items.map(\.text) == ["One.", "line\u{2028}two"] && items.map(\.language) == ["en", nil])
        // The fixtures are manifests.
        let speech = try EvaluationManifest.load(Fixtures.file("speech")).items
        #expect(speech.count > 80)
        #expect(speech.allSatisfy { FileManager.default.fileExists(atPath: $0.audio.path) && !$0.text.isEmpty })
        #expect(try EvaluationManifest.load(Fixtures.file("speech/languages")).items.count == 15)
    }

    @Test func aWrongLineIsNamed() throws {
        for (line, part) in [
            (#"{"text": "x"}"#, "\"file\""), (#"{"file": "b.wav"}"#, "no \"text\""), (#"["b.wav"]"#, "object"),
            (#"{"file": "b.wav", "text": 5}"#, "\"text\" is of the wrong type"), ("b.wav|x", "not JSON"),
            (#"{"file": "b.wav", "text": "x", "language": "klingon"}"#, "klingon"),
            (#"{"file": "b.wav", "text": "x", "offset": 2}"#, "offset"),
            (#"{"file": "a.wav", "text": "x"}"#, "line 1 already"),
        ] {
            let file = try folder.write(#"{"file": "a.wav", "text": "a"}"# + "\n\n" + line + "\n", to: "test.jsonl")
            #expect(message(file).contains("test.jsonl, line 3: ") && message(file).contains(part))
        }
        #expect(message(try folder.write("\n\n", to: "empty.jsonl")).contains("names no recordings"))
        #expect(message(folder.url.appendingPathComponent("none.jsonl")).contains("none.jsonl is not there"))
    }

    @Test func foldersHaveTextsNextToRecordings() throws {
        for name in ["b.mp3", "a.WAV", "notes.txt", "a.md"] { try folder.write("", to: "set/\(name)") }
        try folder.write("What a says.\n", to: "set/a.txt")
        let set = folder.url.appendingPathComponent("set")
        #expect(message(set).contains("there is no b.txt"))
        try folder.write("What b says.", to: "set/b.txt")
        let items = try EvaluationManifest.load(set).items
        #expect(items.map(\.name) == ["a.WAV", "b.mp3"])
        #expect(items.map(\.text) == ["What a says.\n", "What b says."])
        try folder.write(#"{"file": "b.mp3", "text": "x"}"#, to: "set/manifest.jsonl")
        #expect(try EvaluationManifest.load(set).items.map(\.name) == ["b.mp3"])
        #expect(message(folder.url).contains("no recordings"))
    }

    @Test func transcriptsAreFoundByRecordingName() throws {
        let transcripts = HypothesisFolder(folder.url.appendingPathComponent("heard"))
        func heard(_ name: String) throws -> HypothesisFolder.Hypothesis {
            let audio = folder.url.appendingPathComponent(name)
            return try transcripts.hypothesis(for: EvaluationItem(name: name, audio: audio, text: ""))
        }
        try folder.write(#"{"text": "Hi.", "language": "german", "duration": 2.5}"#, to: "heard/x/one.json")
        try folder.write("no", to: "heard/x/one.txt")
        try folder.write(#"{"segments": [{"text": " A"}, {"text": " b."}]}"#, to: "heard/two.json")
        try folder.write("Plain.\n", to: "heard/three.txt")
        try folder.write("[]", to: "heard/four.json")
        #expect(try heard("x/one.wav") == .init(text: "Hi.", language: "de", duration: 2.5))
        #expect(try heard("x/two.wav") == .init(text: " A b.") && heard("three.wav") == .init(text: "Plain.\n"))
        // As written by programs that trim segments.
        try folder.write(#"{"segments": [{"text": "Hello world,"}, {"text": "next one."}]}"#, to: "heard/trimmed.json")
        #expect(try heard("trimmed.wav") == .init(text: "Hello world, next one."))
        #expect(throws: StenoError.self) { try heard("four.wav") }
        #expect(throws: StenoError.self) { try heard("five.wav") }
    }

    @Test(arguments: [
        (["Hello world", "next one."], "Hello world next one."), ([" Hello", " world."], " Hello world."),
        (["Hello ", "", "world"], "Hello world"), (["今天", "天气很好。", "是"], "今天天气很好。是"), (["สวัสดี", "ครับ"], "สวัสดีครับ"),
        (["좋은", "아침"], "좋은 아침"), (["नमस्ते", "दुनिया"], "नमस्ते दुनिया"), ([], ""),
    ])
    func wordsAreNotMerged(_ parts: [String], _ text: String) { #expect(parts.joinedAsText() == text) }
}
