import Foundation
import StenoTestSupport
import Testing

/// The commands with the bundled Moonshine tiny.
@Suite struct MoonshineCommandTests {
    private let tool = StenoTool()
    private let speech = Fixtures.bundledSample("inaugural-1961.wav").path
    private static let country = "what you can do for your country"

    private func moonshine(_ command: String, _ arguments: String...) throws -> StenoTool.Result {
        try tool.start([command, "--model", "moonshine-tiny"] + arguments).wait()
    }

    @Test func everyCommandFindsIt() throws {
        // It always finds the speech, so asking for that changes nothing.
        let text = try moonshine("transcribe", speech, "--verbose", "--vad-filter")
        #expect(text.code == 0 && text.output.contains(Self.country), "\(text.errors)")
        #expect(text.errors.contains("bundled Moonshine tiny"))
        #expect(text.errors.contains("stored as int8"))
        let live = try moonshine("live", "--input", speech, "--pace", "fast", "--quiet")
        #expect(live.code == 0 && live.output.contains(Self.country), "\(live.errors)")
        let language = try moonshine("detect-language", speech)
        #expect(language.output.hasPrefix("en\t1.0000\t"))
    }

    @Test func wordsHaveTimesForSubtitlesAndSpeakers() throws {
        let subtitles = try moonshine("transcribe", speech, "-f", "srt", "--split-cues")
        #expect(subtitles.code == 0 && subtitles.output.contains("\n2\n00:00:"), "\(subtitles.output)")
        let speakers = try moonshine("transcribe", speech, "--speakers", "auto")
        #expect(speakers.code == 0 && speakers.output.hasPrefix("Speaker 1: And so"), "\(speakers.errors)")
        let info = try tool.run("models", "info", "moonshine-tiny")
        for part in ["Hugging Face safetensors", "stored as    int8", "1: en", "27.1 million"] {
            #expect(info.output.contains(part), "\(info.output)")
        }
    }

    @Test func itIsEvaluatedAndWorksThroughAList() throws {
        let line = #"{"file": "\#(speech)", "text": "And so, my fellow Americans", "language": "en"}"#
        let manifest = try tool.folder.write(line, to: "manifest.jsonl")
        let rates = try moonshine("evaluate", manifest.path, "--manifest-language")
        #expect(rates.code == 0 && rates.output.contains("words of 1 files"), "\(rates.errors)")
        let list = try tool.folder.write(
            #"{"path": "\#(speech)", "id": "a"}"# + "\n"
                + #"{"path": "\#(speech)", "id": "b", "options": {"language": "de"}}"#, to: "list")
        let worker = try moonshine("transcribe", "--from-list", list.path)
        #expect(worker.code == 0 && worker.output.contains(Self.country), "\(worker.errors)")
        #expect(worker.output.contains("knows only English"))
    }

    @Test func itIsMeasuredWithoutWhispersStages() throws {
        let quick = ["--runs", "1", "--threads", "1"]
        let all = try tool.start(["bench", "--model", "moonshine-tiny", "--only", "audio,start"] + quick).wait()
        #expect(all.code == 0, "\(all.errors)")
        #expect(all.output.hasPrefix("moonshine-tiny, int8, 1 thread, "))
        #expect(all.output.contains("inaugural-1961.wav, 11.0 s") && all.output.contains("to loaded model"))
        let window = try tool.start(["bench", "--model", "moonshine-tiny", "--only", "window"] + quick).wait()
        #expect(window.code == 66 && window.errors.contains("Measure audio and start"))
    }

    /// What it cannot do is said in one sentence, before the recording is opened.
    @Test(arguments: [
        (["--language", "fr"], "knows only English"),
        (["--vad-filter", "--vad-threshold", "0.3"], "voiceActivity: an option of Whisper models"),
    ]) func whatItCannotDoIsRefused(arguments: [String], reason: String) throws {
        let result = try tool.start(["transcribe", speech, "--model", "moonshine-tiny"] + arguments).wait()
        #expect(result.code == 64 && result.output == "")
        #expect(result.errors.contains(reason), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
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

    private func run(_ command: String, _ arguments: String..., model: String) throws -> StenoTool.Result {
        try tool.start([command, "--model", path(model)] + arguments).wait()
    }

    @Test func everyCommandReadsIt() throws {
        let model = "parakeet"
        let text = try run("transcribe", speech, "-f", "json", "--word-timestamps", model: model)
        #expect(text.code == 0 && text.output.contains(#""words": [{"word""#), "\(text.errors)")
        let named = try run("transcribe", speech, "--speakers", "auto", model: model)
        #expect(named.code == 0 && named.output.hasPrefix("Speaker 1: "), "\(named.errors)")
        let live = try run("live", "--input", speech, "--pace", "fast", "--quiet", model: model)
        #expect(live.code == 0 && !live.output.isEmpty, "\(live.errors)")
        let language = try run("detect-language", speech, model: model)
        #expect(language.code == 0 && language.output.hasSuffix(speech + "\n"), "\(language.errors)")
        let bench = try run("bench", "--only", "audio", "--runs", "1", model: model)
        #expect(bench.code == 0 && bench.output.contains("inaugural-1961.wav, 11.0 s"), "\(bench.errors)")
        let info = try tool.run("models", "info", path(model))
        #expect(info.code == 0 && info.output.contains("Hugging Face safetensors"))
        let manifest = try tool.folder.write(#"{"file": "\#(speech)", "text": "Ask not."}"#, to: "manifest.jsonl")
        let rates = try run("evaluate", manifest.path, model: model)
        #expect(rates.code == 0 && rates.output.contains("errors in 2 words of 1 files"), "\(rates.errors)")
    }

    /// The random weights of the stream write nothing for this recording, and every command says so.
    @Test func everyCommandReadsAStream() throws {
        let text = try run("transcribe", speech, model: "nemotron")
        #expect(text.code == 0 && text.errors.contains("No speech was found"), "\(text.errors)")
        let live = try run("live", "--input", speech, "--pace", "fast", "--quiet", model: "nemotron")
        #expect(live.code == 0 && live.errors == "", "\(live.errors)")
        let language = try run("detect-language", speech, model: "nemotron")
        #expect(language.code != 0 && language.errors.contains("no language to detect"), "\(language.errors)")
        let info = try tool.run("models", "info", path("nemotron"))
        #expect(info.code == 0 && info.output.contains("Hugging Face safetensors"))
    }

    /// A language that the model cannot be made to write is an error, in every command.
    @Test(arguments: [("parakeet", "de", "only English"), ("nemotron", "fr", "only de, en, no")])
    func otherLanguagesAreRefused(model: String, language: String, known: String) throws {
        for command in ["transcribe", "live"] {
            let files = command == "live" ? ["--input", speech] : [speech]
            let result = try tool.start([command, "--model", path(model), "--language", language] + files).wait()
            #expect(result.code == 64 && result.output == "" && result.errors.contains(known), "\(result.errors)")
        }
        let list = try tool.folder.write(
            #"{"path": "\#(speech)", "options": {"language": "\#(language)"}}"#, to: "list")
        let worker = try run("transcribe", "--from-list", list.path, model: model)
        #expect(worker.code == 0 && worker.output.contains(#""code": "unknownLanguage""#), "\(worker.output)")
    }

    @Test func itCannotBeConverted() throws {
        let result = try tool.run("models", "convert", path("parakeet"), "converted")
        #expect(result.code == 66 && result.errors.contains("cannot be converted"), "\(result.errors)")
        #expect(try tool.names() == [])
    }
}
