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
            #expect(result.output.contains("usage: steno COMMAND") && result.output.contains("steno live"))
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
#endif
