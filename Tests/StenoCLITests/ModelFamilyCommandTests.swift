import Foundation
import StenoTestSupport
import Testing

/// The commands with the bundled Moonshine tiny.
@Suite struct MoonshineCommandTests {
    private let tool = StenoTool()
    private let speech = Fixtures.bundledSample("inaugural-1961.wav").path
    private static let country = "what you can do for your country"

    @Test func everyCommandFindsIt() throws {
        let line = #"{"file": "\#(speech)", "text": "And so, my fellow Americans", "language": "en"}"#
        let manifest = try tool.folder.write(line, to: "manifest.jsonl").path
        let list = try tool.folder.write(
            #"{"path": "\#(speech)", "id": "a"}"# + "\n"
                + #"{"path": "\#(speech)", "id": "b", "options": {"language": "de"}}"#, to: "list"
        ).path
        for (arguments, parts) in [
            // It always finds the speech, so asking for that changes nothing.
            (
                ["transcribe", speech, "--verbose", "--vad-filter"],
                [Self.country, "bundled Moonshine tiny", "stored as int8"]
            ),
            (["live", "--input", speech, "--pace", "fast", "--quiet"], [Self.country]),
            (["detect-language", speech], ["en\t1.0000\t"]),
            // Words have times for subtitles and speakers.
            (["transcribe", speech, "-f", "srt", "--split-cues"], ["\n2\n00:00:"]),
            (["transcribe", speech, "--speakers", "auto"], ["Speaker 1: And so"]),
            (["evaluate", manifest, "--manifest-language"], ["words of 1 files"]),
            (["transcribe", "--from-list", list], [Self.country, "knows only English"]),
            (
                ["bench", "--only", "audio,start", "--runs", "1", "--threads", "1"],
                ["moonshine-tiny, int8, 1 thread, ", "inaugural-1961.wav, 11.0 s", "to loaded model"]
            ),
        ] {
            let result = try tool.start(arguments + ["--model", "moonshine-tiny"]).wait()
            #expect(result.code == 0, "\(result)")
            for part in parts { #expect((result.output + result.errors).contains(part), "\(result)") }
        }
        let info = try tool.run("models", "info", "moonshine-tiny")
        for part in ["Hugging Face safetensors", "stored as    int8", "1: en", "27.1 million"] {
            #expect(info.output.contains(part), "\(info.output)")
        }
    }

    /// What it cannot do is said in one sentence, before the recording is opened.
    @Test func whatItCannotDoIsRefused() throws {
        for (arguments, code, reason) in [
            (["transcribe", speech, "--language", "fr"], 64, "knows only English"),
            (
                ["transcribe", speech, "--vad-filter", "--vad-threshold", "0.3"], 64,
                "voiceActivity: an option of Whisper"
            ),
            (["bench", "--only", "window", "--runs", "1"], 66, "Measure audio and start"),
        ] as [([String], Int32, String)] {
            let result = try tool.start(arguments + ["--model", "moonshine-tiny"]).wait()
            #expect(result.isRefusal(code: code, reason), "\(result)")
        }
    }

    @Test func itsWeightsAreConverted() throws {
        let result = try tool.run("models", "convert", "moonshine-tiny", "float", "--quantization", "float16")
        #expect(result.code == 0, "\(result.errors)")
        let text = try tool.run("transcribe", "--model", "./float", speech)
        #expect(text.output.contains(Self.country), "\(text.errors)")
        let back = try tool.run("models", "convert", "float", "int8")
        #expect(back.code == 0)
        #expect(try tool.run("models", "info", "./int8").output.contains("stored as    int8"))
    }
}

/// The commands with small random models, whose text means nothing.
@Suite struct FastConformerCommandTests {
    private let tool = StenoTool()
    private let speech = Fixtures.bundledSample("inaugural-1961.wav").path
    private let models: TemporaryFolder

    init() throws {
        models = try TemporaryFolder()
        for (name, write) in [
            // Whole utterances in English, and a stream in the language of a prompt: German, English or Norwegian.
            ("parakeet", FastConformerGoldens.writeParakeet), ("nemotron", FastConformerGoldens.writeNemotron),
        ] {
            let folder = models.url.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try write(folder)
        }
    }

    private func path(_ model: String) -> String { models.url.appendingPathComponent(model).path }

    private func run(_ arguments: [String], model: String) throws -> ProgramResult {
        try tool.start(arguments + ["--model", path(model)]).wait()
    }

    @Test func everyCommandReadsIt() throws {
        let manifest = try tool.folder.write(#"{"file": "\#(speech)", "text": "Ask not."}"#, to: "manifest.jsonl")
        for (arguments, part) in [
            (["transcribe", speech, "-f", "json", "--word-timestamps"], #""words": [{"word""#),
            (["transcribe", speech, "--speakers", "auto"], "Speaker 1: "),
            (["detect-language", speech], speech + "\n"),
            (["bench", "--only", "audio", "--runs", "1"], "inaugural-1961.wav, 11.0 s"),
            (["evaluate", manifest.path], "errors in 2 words of 1 files"),
        ] {
            let result = try run(arguments, model: "parakeet")
            #expect(result.code == 0 && result.output.contains(part), "\(result)")
        }
        let live = try run(["live", "--input", speech, "--pace", "fast", "--quiet"], model: "parakeet")
        #expect(live.code == 0 && !live.output.isEmpty, "\(live.errors)")
    }

    /// The random weights of the stream write nothing for this recording, and every command says so.
    @Test func everyCommandReadsAStream() throws {
        let text = try run(["transcribe", speech], model: "nemotron")
        #expect(text.code == 0 && text.errors.contains("No speech was found"), "\(text.errors)")
        let live = try run(["live", "--input", speech, "--pace", "fast", "--quiet"], model: "nemotron")
        #expect(live.code == 0 && live.errors == "", "\(live.errors)")
        let language = try run(["detect-language", speech], model: "nemotron")
        #expect(language.code != 0 && language.errors.contains("no language to detect"), "\(language.errors)")
        for model in ["parakeet", "nemotron"] {
            let info = try tool.run("models", "info", path(model))
            #expect(info.code == 0 && info.output.contains("Hugging Face safetensors"))
        }
    }

    /// A language that the model cannot be made to write is an error, in every command.
    @Test(arguments: [("parakeet", "de", "only English"), ("nemotron", "fr", "only de, en, no")])
    func otherLanguagesAreRefused(model: String, language: String, known: String) throws {
        for files in [["transcribe", speech], ["live", "--input", speech]] {
            let result = try run(files + ["--language", language], model: model)
            #expect(result.code == 64 && result.output == "" && result.errors.contains(known), "\(result.errors)")
        }
        let list = try tool.folder.write(
            #"{"path": "\#(speech)", "options": {"language": "\#(language)"}}"#, to: "list")
        let worker = try run(["transcribe", "--from-list", list.path], model: model)
        #expect(worker.code == 0 && worker.output.contains(#""code": "unknownLanguage""#), "\(worker.output)")
    }

    @Test func itCannotBeConverted() throws {
        let result = try tool.run("models", "convert", path("parakeet"), "converted")
        #expect(result.code == 66 && result.errors.contains("cannot be converted"), "\(result.errors)")
        #expect(try tool.names() == [])
    }
}
