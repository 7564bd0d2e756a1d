import Foundation
import StenoTestSupport
import Testing

/// Wrong arguments: one sentence on standard error, and an exit code that scripts can tell apart.
@Suite struct BadArgumentCommandTests {
    private let tool = StenoTool()
    private let speech = Fixtures.file("sounds/tomorrow.wav").path

    /// One of each kind; `ArgumentTests` has the others, without a process for each.
    ///
    /// More than two seconds: a program starts for every row.
    private static let wrong: [([String], String)] = [
        // The translation of habits, the parser with the help of the option, its checks, and those before the work begins.
        (["transcribe", "a.wav", "--device", "cuda"], "CPU only"), (["transcribe", "a.wav", "--seed", "-5"], "from 0"),
        (["transcribe", "a.wav", "--speakers", "5-2"], "or its limits, such as 2-5"),
        (["transcribe"], "Name the recordings"), (["transcribe", "a.wav", "--force"], "--force needs --output"),
        (["trancribe", "a.wav"], "Did you mean steno transcribe?"), (["live", "--vad"], "not an option of steno live"),
        (["live", "--input", "-", "--step", "0"], "The step must be"),
        (["live", "--input", "-", "--save", "a.txt", "--save", "./a.txt"], "written twice"),
        (["evaluate", "a.jsonl", "--normalizer", "french"], "'french' is invalid"),
        (["evaluate", "a.rttm"], "says who speaks when"), (["bench", "--runs", "0"], "--runs must be"),
    ]

    @Test(arguments: wrong) func errorsAreOneLine(arguments: [String], part: String) throws {
        let result = try tool.start(arguments).wait()
        #expect(result.isRefusal(code: 64, part), "\(result)")
    }

    @Test func helpAndVersionArePrinted() throws {
        let help = try tool.run()
        #expect(
            help.code == 0 && help.output.contains("usage: steno <command>") && help.output.contains("steno live"))
        for command in [[], ["transcribe"], ["models"]] {
            #expect(try tool.start(command + ["--version"]).wait() == .printed("0.1.0\n"))
        }
    }

    @Test func impossibleOutputIsRefusedUpFront() throws {
        let twice = try tool.run("transcribe", "a/talk.wav", "b/talk.wav", "--output-dir", "out")
        #expect(twice.isRefusal(code: 64, "a/talk.wav", "b/talk.wav"), "\(twice)")
        try tool.folder.write("", to: "file")
        let below = try tool.run("transcribe", speech, "--output-dir", "file/below")
        #expect(below.isRefusal(code: 1, "file/below"), "\(below)")
        #expect(try tool.names() == ["file"])
    }

    /// An unknown name, a folder without a model, a CTranslate2 file that ends after its version, and a text file.
    @Test func otherThingsThanModelsAreRefused() throws {
        let unknown = try tool.run("transcribe", speech, "--model", "gigantic")
        // It says where it looked.
        #expect(unknown.isRefusal(code: 66, "gigantic", "huggingface/hub", "models"), "\(unknown)")
        #expect(try tool.run("models", "info", "gigantic").isRefusal(code: 66, "gigantic"))
        try tool.folder.write("\u{2}\0\0\0", to: "broken/model.bin")
        try tool.folder.write("no weights", to: "other/model.bin")
        for (model, code, part) in [
            (Fixtures.file("speech").path, 66, "model.bin"), ("./broken", 1, "broken"),
            ("./other", 66, "is not a CTranslate2 model"),
        ] as [(String, Int32, String)] {
            let result = try tool.run("transcribe", speech, "--model", model)
            #expect(result.isRefusal(code: code, part), "\(result)")
        }
    }

    @Test func anOptionOutOfRangeIsReportedOnceForAllFiles() throws {
        for (arguments, part) in [
            (["--language", "klingon"], "klingon"), (["--beam-size", "0"], "beam size"),
            (["--batch-size", "4", "--beam-size", "0"], "beam size"),
        ] {
            let result = try tool.start(["transcribe", speech, speech] + arguments, environment: StenoTool.nano).wait()
            #expect(result.isRefusal(code: 64, part), "\(result)")
        }
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
        #expect(try tool.start(["transcribe", speech.path] + arguments).wait() == .printed("Tomorrow is Friday.\n"))
    }

    /// Also one whose name starts with a dash, and one in a folder called `~`: the shell does not expand a quoted `~`, nor
    /// does the command if there is such a folder.
    @Test func aSingleFileArgumentIsTranscribed() throws {
        try tool.folder.write("", to: "~/folder")
        for name in ["-dash.wav", "~/y.wav"] { try FileManager.default.copyItem(at: speech, to: tool.url(name)) }
        for arguments in [
            ["-m", Fixtures.nano.path, "-l", "en", "-f", speech.path],
            ["transcribe", "-dash.wav", "--language", "en"],
        ] {
            #expect(try tool.start(arguments).wait() == .printed("Tomorrow is Friday.\n"))
        }
        #expect(try tool.run("transcribe", "~/y.wav", "--language", "en", "-o", "~/y.txt") == .printed())
        #expect(try tool.text("~/y.txt") == "Tomorrow is Friday.\n")
        #expect(try tool.run("detect-language", "~/y.wav").code == 0)
    }

    @Test func optionsWithoutEffectGiveANoteUnlessQuiet() throws {
        let arguments = ["transcribe", speech.path, "--language", "en", "--fp16", "True"]
        let noted = try tool.start(arguments).wait()
        #expect(noted.code == 0 && noted.errors.hasPrefix("steno: --fp16 has no effect."))
        #expect(try tool.start(arguments + ["--quiet"]).wait() == .printed(noted.output))
    }

    /// Whether a model is loaded first or not.
    @Test func aWrongLanguageHasTheSameCodeEverywhere() throws {
        for name in ["once", "again"] {
            try tool.folder.write("Tomorrow is Friday.", to: "set/\(name).txt")
            try FileManager.default.copyItem(at: speech, to: tool.url("set/\(name).wav"))
        }
        for arguments in [
            ["transcribe", speech.path], ["live", "--input", speech.path], ["evaluate", "set"],
            ["bench", "--only", "audio", "--runs", "1", "--audio", speech.path],
        ] {
            let result = try tool.start(arguments + ["--language", "klingon"]).wait()
            #expect(result.code == 64)
            #expect(result.errors.hasPrefix("steno: ") && result.errors.contains("klingon"))
            #expect(result.errors.split(separator: "\n").count == 1)
        }
    }

    @Test func theErrorForAMissingModelSaysWhereToGetIt() throws {
        for (model, part) in [
            ("large", "steno models download large"), ("small", "steno models download small (about 486 MB)"),
            ("./ggml-base.bin", "GGML format (whisper.cpp)"),
        ] {
            let result = try tool.run("transcribe", speech.path, "--model", model)
            #expect(result.code == 66 && result.errors.contains(part))
            #expect(result.errors.contains("steno models download"))
        }
        // A recording is no manifest.
        let result = try tool.run("evaluate", speech.path)
        #expect(result.code == 1 && result.errors.contains("is a recording") && result.errors.contains("\"text\""))
    }

    @Test func theLanguagesHaveNames() throws {
        let result = try tool.run("languages")
        let lines = result.output.split(separator: "\n")
        #expect(result.code == 0 && result.errors == "" && lines.count == 100 && lines.first == "af\tAfrikaans")
        #expect(lines.contains("de\tGerman") && lines.contains("yue\tCantonese"))
    }

    @Test func rawAudioFormatsAreTakenFromOptions() throws {
        try Data(contentsOf: speech).dropFirst(44).write(to: tool.url("talk.raw"))
        for input in ["talk.raw", "-"] {
            let result = try tool.run(
                "transcribe", input, "--language", "en", "--raw", "s16le,16000,1",
                input: FileHandle(forReadingFrom: tool.url("talk.raw")))
            #expect(result.code == 0 && result.output == "Tomorrow is Friday.\n", "\(result.errors)")
        }
    }
}
