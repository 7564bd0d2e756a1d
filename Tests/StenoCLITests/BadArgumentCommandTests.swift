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

        private static let wrong: [([String], String)] = [
            (["transcribe", "a.wav", "--device", "cuda"], "CPU only"),
            (["transcribe", "a.wav", "--seed", "-5"], "from 0"),
            (["transcribe"], "Name the recordings"),
            (["transcribe", ""], "is empty"),
            (["transcribe", "a.wav", "--model", ""], "--model is empty"),
            (["transcribe", "a.wav", "--output-format", "doc"], "txt, srt"),
            (["transcribe", "a.wav", "--offset", "1:75"], "1:30"),
            (["transcribe", "a.wav", "--offset", "5", "--clip-timestamps", "1,2"], "use one or the other"),
            (["transcribe", "a.wav", "--offset", "5", "--vad-filter"], "use only one"),
            (["transcribe", "a.wav", "--duration", "0"], "more than 0"),
            (["transcribe", "a.wav", "--raw", "mp3"], "s16le"),
            (["transcribe", "a.wav", "--raw", "s16le,16000", "--audio-track", "2"], "leave out --audio-track"),
            (["transcribe", "a.wav", "--quiet", "--verbose"], "not both"),
            (["transcribe", "a.wav", "-o", "a.doc"], "must end in one of"),
            (["transcribe", "a.wav", "-o", "a.srt", "-f", "srt,vtt"], "--output-dir"),
            (["transcribe", "a.wav", "b.wav", "-o", "a.srt"], "one recording"),
            (["transcribe", "a.wav", "-o", "a.srt", "--output-dir", "x"], "use one of them"),
            (["transcribe", "a.wav", "--force"], "--force needs --output"),
            (["transcribe", "a.wav", "--skip-existing"], "--skip-existing needs"),
            (["transcribe", "a.wav", "-o", ""], "--output is empty"),
            (["transcribe", "a.wav", "--output-dir", ""], "--output-dir is empty"),
            (["transcribe", "a.wav", "-o", "a.srt", "-o", "b.srt"], "--output is for one file"),
            (["transcribe", "a.wav", "--speakers", "0"], "or give it, from 1 to 20"),
            (["transcribe", "a.wav", "--speakers", "5-2"], "or its limits, such as 2-5"),
            (["transcribe", "a.wav", "--speakers", "some"], "'some' is invalid"),
            (["transcribe", "a.wav", "-f", "rttm"], "add --speakers auto"),
            (["trancribe", "a.wav"], "Did you mean steno transcribe?"),
            (["detect-language", "a.wav", "--audio-track", "0"], "at least 1"),
            (["live", "--vad"], "not an option of steno live"),
            (["live", "--input", "mic", "--pace", "fast"], "--pace is for files"),
            (["live", "--input", "-", "--charge", "1"], "--charge needs --pace fast"),
            (["live", "--save", "notes.doc"], "must end in one of"),
            (["live", "--input", "-", "--step", "0"], "The step must be"),
            (["live", "--switch-language", "--language", "en"], "leave out --language"),
            (["live", "--input", "-", "--device", "x"], "--device is for"),
            (["live", "--input", "-", "--force"], "--force needs --save"),
            (["live", "--input", "-", "--save", "a.txt", "--save", "./a.txt"], "written twice"),
            (["evaluate", "a.jsonl", "--limit", "0"], "--limit must be"),
            (["evaluate", "a.jsonl", "--metric", "mer"], "'mer' is invalid"),
            (["evaluate", "a.jsonl", "--normalizer", "french"], "'french' is invalid"),
            (["evaluate", "a.jsonl", "--hypotheses", "x", "--model", "base"], "leave out --model"),
            (["evaluate", "a.jsonl", "--manifest-language", "--language", "en"], "not both"),
            (["evaluate", "a.rttm"], "says who speaks when"),
            (["bench", "--runs", "0"], "--runs must be"),
            (["bench", "--tokens", "0"], "--tokens must be"),
            (["bench", "--only", "everything"], "'everything' is invalid"),
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
