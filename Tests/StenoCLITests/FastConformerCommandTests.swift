#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

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
        @Test(arguments: [
            ("parakeet", "de", "only English"), ("nemotron", "fr", "only de, en, no"),
        ]) func otherLanguagesAreRefused(model: String, language: String, known: String) throws {
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
#endif
