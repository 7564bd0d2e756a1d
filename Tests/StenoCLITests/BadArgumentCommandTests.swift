#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    /// Wrong arguments: one sentence on standard error, and an exit code that scripts can tell apart.
    @Suite struct BadArgumentCommandTests {
        private let tool = StenoTool()
        private let speech = Fixtures.file("sounds/tomorrow.wav").path

        private func expectRefusal(_ result: StenoTool.Result, code: Int32, _ parts: String...) {
            #expect(result.code == code)
            #expect(result.output == "")
            #expect(result.errors.hasPrefix("steno: "))
            #expect(result.errors.split(separator: "\n").count == 1)
            for part in parts { #expect(result.errors.contains(part), "\(result.errors)") }
        }

        /// One of each kind; `ArgumentTests` has the others, without a process for each.
        ///
        /// More than two seconds: a program starts for every row.
        private static let wrong: [([String], String)] = [
            // The translation of habits, the parser with the help of the option, its checks, and those before the work begins.
            (["transcribe", "a.wav", "--device", "cuda"], "CPU only"),
            (["transcribe", "a.wav", "--seed", "-5"], "from 0"),
            (["transcribe", "a.wav", "--speakers", "5-2"], "or its limits, such as 2-5"),
            (["transcribe"], "Name the recordings"), (["transcribe", "a.wav", "--force"], "--force needs --output"),
            (["trancribe", "a.wav"], "Did you mean steno transcribe?"),
            (["live", "--vad"], "not an option of steno live"),
            (["live", "--input", "-", "--step", "0"], "The step must be"),
            (["live", "--input", "-", "--save", "a.txt", "--save", "./a.txt"], "written twice"),
            (["evaluate", "a.jsonl", "--normalizer", "french"], "'french' is invalid"),
            (["evaluate", "a.rttm"], "says who speaks when"), (["bench", "--runs", "0"], "--runs must be"),
        ]

        @Test(arguments: wrong) func errorsAreOneLine(arguments: [String], part: String) throws {
            expectRefusal(try tool.start(arguments).wait(), code: 64, part)
        }

        @Test func noArgumentsShowTheHelp() throws {
            let result = try tool.run()
            #expect(result.code == 0)
            #expect(result.output.contains("usage: steno <subcommand>") && result.output.contains("steno live"))
        }

        @Test(arguments: [["--version"], ["transcribe", "--version"], ["models", "--version"]])
        func theVersionIsPrinted(arguments: [String]) throws {
            let result = try tool.start(arguments).wait()
            #expect(result.output == "0.1.0\n")
            #expect(result.code == 0)
        }

        @Test func twoInputsOfTheSameNameAreRefusedUpFront() throws {
            let result = try tool.run("transcribe", "a/talk.wav", "b/talk.wav", "--output-dir", "out")
            expectRefusal(result, code: 64, "a/talk.wav", "b/talk.wav")
            #expect(!FileManager.default.fileExists(atPath: tool.folder.url.path + "/out"))
        }

        @Test func anUnwritableFolderIsRefusedUpFront() throws {
            try tool.folder.write("", to: "file")
            let result = try tool.run("transcribe", speech, "--output-dir", "file/below")
            expectRefusal(result, code: 1, "file/below")
        }

        @Test func theErrorForAnUnknownModelSaysWhereItLooked() throws {
            expectRefusal(
                try tool.run("transcribe", speech, "--model", "gigantic"), code: 66, "gigantic", "huggingface/hub",
                "models")
            expectRefusal(try tool.run("models", "info", "gigantic"), code: 66, "gigantic")
        }

        /// A folder without a model, a CTranslate2 file that ends after its version, and a text file.
        @Test func otherFilesThanModelsAreRefused() throws {
            try tool.folder.write("\u{2}\0\0\0", to: "broken/model.bin")
            try tool.folder.write("no weights", to: "other/model.bin")
            for (model, code, part) in [
                (Fixtures.file("speech").path, 66, "model.bin"), ("./broken", 1, "broken"),
                ("./other", 66, "is not a CTranslate2 model"),
            ] as [(String, Int32, String)] {
                expectRefusal(try tool.run("transcribe", speech, "--model", model), code: code, part)
            }
        }

        @Test(arguments: [
            (["--language", "klingon"], "klingon"), (["--beam-size", "0"], "beam size"),
            (["--batch-size", "4", "--beam-size", "0"], "beam size"),
        ])
        func anOptionOutOfRangeIsReportedOnceForAllFiles(arguments: [String], part: String) throws {
            let result = try tool.start(["transcribe", speech, speech] + arguments, environment: StenoTool.nano).wait()
            expectRefusal(result, code: 64, part)
        }
    }

    /// Habitual options, run as a process: text, one line of explanation, exit code.
    @Suite(.serialized) struct HabitCommandTests {
        private let tool = StenoTool(environment: StenoTool.nano)
        private let speech = Fixtures.file("sounds/tomorrow.wav")

        @Test(arguments: [
            [
                "--language", "English", "--fp16", "False", "--beam_size", "1", "--verbose", "False", "--device", "cpu",
                "--compute_type", "int8", "--vad_filter", "False", "--output_format", "TXT",
            ],
            ["-l", "EN", "-nt", "-np", "-bs", "1", "-t", "2", "--initial-prompt", "- hello", "--suppress-tokens", ""],
        ]) func theTextIsUnchanged(arguments: [String]) throws {
            let result = try tool.start(["transcribe", speech.path] + arguments).wait()
            #expect(result.code == 0 && result.errors == "")
            #expect(result.output == "Tomorrow is Friday.\n")
        }

        @Test func aSingleFileArgumentIsTranscribed() throws {
            try FileManager.default.copyItem(at: speech, to: tool.url("-dash.wav"))
            let cpp = try tool.run("-m", Fixtures.nano.path, "-l", "en", "-f", speech.path)
            let dash = try tool.run("transcribe", "-dash.wav", "--language", "en")
            for result in [cpp, dash] {
                #expect(result.code == 0 && result.output == "Tomorrow is Friday.\n", "\(result.errors)")
            }
        }

        @Test func optionsWithoutEffectGiveANoteUnlessQuiet() throws {
            let arguments = ["transcribe", speech.path, "--language", "en", "--fp16", "True"]
            let noted = try tool.start(arguments).wait()
            #expect(noted.code == 0 && noted.errors.hasPrefix("steno: --fp16 has no effect."))
            let quiet = try tool.start(arguments + ["--quiet"]).wait()
            #expect(quiet.output == noted.output && quiet.errors == "")
        }

        /// Whether a model is loaded first or not.
        @Test(arguments: ["transcribe", "live", "evaluate", "bench"])
        func aWrongLanguageHasTheSameCodeEverywhere(command: String) throws {
            for name in ["once", "again"] {
                try tool.folder.write("Tomorrow is Friday.", to: "set/\(name).txt")
                try FileManager.default.copyItem(at: speech, to: tool.url("set/\(name).wav"))
            }
            let arguments = [
                "transcribe": [speech.path], "live": ["--input", speech.path], "evaluate": ["set"],
                "bench": ["--only", "audio", "--runs", "1", "--audio", speech.path],
            ]
            let result = try tool.start([command, "--language", "klingon"] + (arguments[command] ?? [])).wait()
            #expect(result.code == 64)
            #expect(result.errors.hasPrefix("steno: ") && result.errors.contains("klingon"))
            #expect(result.errors.split(separator: "\n").count == 1)
        }

        @Test func aRecordingIsNotAManifest() throws {
            let result = try tool.run("evaluate", speech.path)
            #expect(result.code == 1 && result.errors.contains("is a recording") && result.errors.contains("\"text\""))
        }

        @Test(arguments: [
            ("large", "steno models download large"), ("small", "steno models download small (about 486 MB)"),
            ("./ggml-base.bin", "GGML format (whisper.cpp)"),
        ])
        func theErrorForAMissingModelSaysWhereToGetIt(model: String, part: String) throws {
            let result = try tool.run("transcribe", speech.path, "--model", model)
            #expect(result.code == 66 && result.errors.contains(part))
            #expect(result.errors.contains("steno models download"))
        }

        @Test func theLanguagesHaveNames() throws {
            let result = try tool.run("languages")
            #expect(result.code == 0 && result.errors == "")
            let lines = result.output.split(separator: "\n")
            #expect(lines.count == 100 && lines.contains("de\tGerman") && lines.contains("yue\tCantonese"))
            #expect(lines.first == "af\tAfrikaans")
        }

        @Test func rawAudioFormatsAreTakenFromOptions() throws {
            let samples = try Data(contentsOf: speech).dropFirst(44)
            try samples.write(to: tool.url("talk.raw"))
            for input in ["talk.raw", "-"] {
                let result = try tool.run(
                    "transcribe", input, "--language", "en", "--raw", "s16le,16000,1",
                    input: FileHandle(forReadingFrom: tool.url("talk.raw")))
                #expect(result.code == 0 && result.output == "Tomorrow is Friday.\n", "\(result.errors)")
            }
        }

        /// The shell does not expand a quoted `~`, nor does the command if there is such a folder.
        @Test func aFolderCalledTildeIsThatFolder() throws {
            let manager = FileManager.default
            try manager.createDirectory(at: tool.url("~"), withIntermediateDirectories: true)
            try manager.copyItem(at: speech, to: tool.url("~/y.wav"))
            let result = try tool.run("transcribe", "~/y.wav", "--language", "en", "-o", "~/y.txt")
            #expect(result.code == 0 && result.errors == "")
            #expect(try tool.text("~/y.txt") == "Tomorrow is Friday.\n")
            #expect(try tool.run("detect-language", "~/y.wav").code == 0)
        }
    }
#endif
