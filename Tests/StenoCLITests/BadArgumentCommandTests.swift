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
            for part in parts { #expect(result.errors.contains(part), "\(part)") }
        }

        @Test func noArgumentsShowTheHelp() throws {
            let result = try tool.run()
            #expect(result.code == 0)
            #expect(result.output.contains("usage: steno COMMAND") && result.output.contains("steno live"))
        }

        @Test func theVersionIsPrinted() throws {
            let result = try tool.run("--version")
            #expect(result.output == "0.1.0\n")
            #expect(result.code == 0)
        }

        @Test func twoInputsOfOneNameAreRefusedBeforeAnyWork() throws {
            let result = try tool.run("transcribe", "a/talk.wav", "b/talk.wav", "--output-dir", "out")
            expectRefusal(result, code: 64, "a/talk.wav", "b/talk.wav")
            #expect(!FileManager.default.fileExists(atPath: tool.folder.url.path + "/out"))
        }

        @Test func aFolderThatCannotBeWrittenIsRefusedBeforeAnyWork() throws {
            try tool.folder.write("", to: "file")
            let result = try tool.run("transcribe", speech, "--output-dir", "file/below")
            expectRefusal(result, code: 1, "file/below")
        }

        @Test func anUnknownModelNameSaysWhereItLooked() throws {
            expectRefusal(
                try tool.run("transcribe", speech, "--model", "gigantic"), code: 66, "gigantic", "huggingface/hub",
                "models")
            expectRefusal(try tool.run("models", "info", "gigantic"), code: 66, "gigantic")
        }

        /// A folder without a model, a file that ends after the version of CTranslate2's format, and a file of text.
        @Test func whatIsNoModelIsRefused() throws {
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
        func anOptionOutsideItsRangeIsSaidOnceForAllFiles(arguments: [String], part: String) throws {
            let result = try tool.start(["transcribe", speech, speech] + arguments, environment: StenoTool.nano).wait()
            expectRefusal(result, code: 64, part)
        }
    }
#endif
