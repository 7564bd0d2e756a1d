import Foundation
import StenoTestSupport
import Testing

/// `steno evaluate` as a process; the tests that transcribe need a release build.
@Suite(.serialized) struct EvaluateCommandTests {
    private let tool = StenoTool(environment: StenoTool.nano)
    private let manifest: URL

    init() throws {
        let recordings = Fixtures.file("sounds").path
        manifest = try tool.folder.write(
            """
            {"file": "\(recordings)/tomorrow.wav", "text": "Tomorrow is Friday!", "language": "en"}
            {"file": "\(recordings)/norway.wav", "text": "Have you always been to Norway?", "language": "en"}
            """, to: "test.jsonl")
        try tool.folder.write("Tomorrow is Friday.", to: "heard/tomorrow.txt")
        try tool.folder.write(#"{"text": " Have you been to Norway, ever?"}"#, to: "heard/norway.json")
    }

    /// Compares texts that were heard before, without a model.
    private func compare(_ manifest: String, _ heard: String, _ arguments: String...) throws -> ProgramResult {
        let all = ["evaluate", manifest, "--hypotheses", heard] + arguments
        return try tool.start(all, environment: ["STENO_MODEL": "/nowhere"]).wait()
    }

    @Test func recordingsAreTranscribedAndCompared() throws {
        let result = try tool.run(
            "evaluate", manifest.path, "--manifest-language", "--differences", "--json", "out.json", "--markdown",
            "out.md")
        #expect(result.code == 0 && result.errors == "")
        for part in ["WER 11.11 %", "1 errors in 9 words of 2 files", "heard  have  you  ever", "times as fast"] {
            #expect(result.output.contains(part), "\(part)")
        }
        #expect(try tool.folder.names().filter { $0.hasPrefix("out.") } == ["out.json", "out.md"])
    }

    /// The rates are in the order of the options.
    @Test func transcriptsAreComparedWithoutAModel() throws {
        let result = try compare(manifest.path, "heard", "--metric", "wer", "--json", "before.json")
        #expect(result.code == 0 && result.output.contains("WER 22.22 %") && !result.output.contains("CER"))
        try tool.folder.write("Have you always been to Norway", to: "better/norway.txt")
        try tool.folder.write("Tomorrow is Friday.", to: "better/tomorrow.txt")
        let better = try compare(manifest.path, "better", "--compare", "before.json", "--json", "after.json")
        #expect(better.code == 0 && better.output.contains("norway.wav: 2 → 0 errors"))
        #expect(better.output.contains("compared on 2 files\nWER 22.22 % → 0.00 %: -22.22 points (95 % interval "))
        let again = try tool.run("evaluate", "before.json", "--compare", "after.json", "--normalizer", "none")
        #expect(again.code == 0 && again.output.contains("→"))
    }

    /// A manifest has the language that is spoken, and the English normaliser knows contractions.
    @Test func translationsAreComparedAsEnglish() throws {
        try tool.folder.write(#"{"file": "talk.wav", "text": "It's late", "language": "de"}"#, to: "talk.jsonl")
        try tool.folder.write("It is late.", to: "translated/talk.txt")
        for (option, rate) in [("--translate", "WER 0.00 %"), ("--metric=both", "WER 33.33 %")] {
            let result = try compare("talk.jsonl", "translated", option)
            #expect(result.code == 0 && result.output.contains(rate), "\(result.output)")
        }
    }

    /// Two RTTM files need no recordings or model; labelled transcripts also give figures for words.
    @Test func speakersAreCompared() throws {
        try tool.folder.write(
            "SPEAKER call 1 0 4 <NA> <NA> anna <NA> <NA>\nSPEAKER call 1 4 4 <NA> <NA> bert <NA> <NA>\n",
            to: "reference.rttm")
        try tool.folder.write("SPEAKER call 1 0 5 <NA> <NA> a <NA> <NA>\n", to: "found.rttm")
        let turns = try compare("reference.rttm", "found.rttm", "--speakers", "--collar", "0")
        #expect(turns.code == 0 && !turns.output.contains("\nWER"))
        #expect(turns.output.contains("right in 0 of 1 files\nDER 50.00 % of 8.0 s of speech (collar 0.0 s"))
        try tool.folder.write(
            """
            {"file": "call.wav", "text": "Good morning. Hello.", "language": "en", "rttm": "reference.rttm", \
            "segments": [{"speaker": "anna", "text": "Good morning."}, {"speaker": "bert", "text": "Hello."}]}
            """, to: "call.jsonl")
        try tool.folder.write(
            """
            {"text": " Good morning. Hello.", "segments": [{"start": 0, "end": 8, "text": " Good morning. Hello.", \
            "speaker": "Speaker 1"}]}
            """, to: "found/call.json")
        let words = try compare("call.jsonl", "found", "--speakers", "--json", "out.json")
        #expect(words.code == 0 && words.output.contains("cpWER 66.67 %"))
        for output in [words.output, try tool.run("evaluate", "out.json").output] {
            #expect(output.contains("1 of 3 aligned words have the wrong speaker: 33.33 %"))
        }
    }

    @Test func aFileThatFailsDoesNotStopTheOthers() throws {
        let none = #"{"file": "none.wav", "text": "x"}"#
        try tool.folder.write(none + "\n" + tool.text("test.jsonl"), to: "some.jsonl")
        let result = try compare("some.jsonl", "heard")
        #expect(result.code == 1 && result.errors.hasPrefix("steno: ") && result.errors.contains("none.wav"))
        #expect(result.output.contains("of 2 files") && result.output.contains("not compared: none.wav"))
        #expect(try compare("some.jsonl", "heard", "--limit", "1").code == 1)
        // Without any file there is no rate.
        try tool.folder.write(none, to: "none.jsonl")
        let failed = try tool.run("evaluate", "none.jsonl")
        #expect(failed.code == 1 && failed.output.contains("WER –: 0 errors in 0 words"))
        #expect(!failed.output.contains("0.00"))
    }

    @Test func inputsAreNeverReplaced() throws {
        let before = try Data(contentsOf: manifest)
        for arguments in [
            ["--json", "test.jsonl"], ["--json", "a.out", "--markdown", "a.out"], ["--markdown", "heard/tomorrow.txt"],
        ] {
            let all = ["evaluate", "test.jsonl", "--hypotheses", "heard", "--force"] + arguments
            #expect(try tool.start(all).wait().isRefusal(code: 64), "\(arguments)")
        }
        #expect(try Data(contentsOf: manifest) == before)
        // A result that is there needs --force.
        try tool.folder.write("mine", to: "a.json")
        #expect(try compare("test.jsonl", "heard", "--json", "a.json").isRefusal(code: 1, "a.json exists already"))
        #expect(try tool.text("a.json") == "mine")
        #expect(try compare("test.jsonl", "heard", "--json", "a.json", "--force").code == 0)
        #expect(try tool.text("a.json").hasPrefix("{"))
    }

    /// The model has no Cantonese.
    @Test func oneUnsupportedLanguageDoesNotStopTheOthers() throws {
        let recordings = Fixtures.file("sounds").path
        try tool.folder.write(
            #"{"file": "\#(recordings)/norway.wav", "text": "x", "language": "yue"}"# + "\n"
                + #"{"file": "\#(recordings)/tomorrow.wav", "text": "Tomorrow is Friday!", "language": "en"}"#,
            to: "languages.jsonl")
        let result = try tool.run("evaluate", "languages.jsonl", "--manifest-language", "--json", "out.json")
        #expect(result.code == 1)
        #expect(result.errors.contains("norway.wav") && result.errors.split(separator: "\n").count == 1)
        #expect(result.output.contains("WER 0.00 %: 0 errors in 3 words of 1 file"))
        #expect(try tool.folder.names().contains("out.json"))
    }

    @Test func errorsAreReportedBeforeAnyWork() throws {
        try tool.folder.write(#"{"file": "a.wav", "text": "x"}"# + "\nx\n", to: "broken.jsonl")
        for (arguments, part) in [
            (["none.jsonl"], "none.jsonl is not there"), (["broken.jsonl"], "broken.jsonl, line 2: "),
            (["test.jsonl", "--json", "no/such/folder/a.json"], "cannot be written"),
            (["test.jsonl", "--compare", "test.jsonl"], "not a result"), (["."], "no recordings"),
        ] {
            let result = try tool.start(["evaluate"] + arguments, environment: ["STENO_MODEL": "/nowhere"]).wait()
            #expect(result.isRefusal(code: 1, part), "\(result)")
        }
    }
}

/// `steno bench` as a process, on the smallest model; checks that figures are there, not their
/// values.
@Suite(.serialized) struct BenchCommandTests {
    private let tool = StenoTool()
    private let quick = ["--runs", "1", "--tokens", "3", "--model", Fixtures.nano.path, "--threads", "1"]

    @Test func jsonHasTheFiguresUnderFlatKeys() throws {
        let recording = Fixtures.file("sounds/norway.wav").path
        let result = try tool.start(["bench", "--json", "--audio", recording] + quick).wait()
        #expect(result.errors == "")
        let object = try result.object()
        for key in [
            "log_mel_ms", "encode_ms", "cross_ms", "prefill_ms", "greedy_token_ms", "beam5_step_ms", "load_ms",
            "cold_start_ms", "peak_rss_mb", "audio_ms", "real_time_factor",
        ] {
            #expect(try #require(object[key] as? Double, "\(key)") > 0)
        }
        #expect(object["threads"] as? Int == 1 && object["tokens"] as? Int == 3)
        #expect(object["load_ms"] as? Double ?? 0 < object["cold_start_ms"] as? Double ?? 0)
        // The weights are 17 MB.
        #expect(try #require(object["peak_rss_mb"] as? Double) > 17)
    }

    @Test func onlyTheRequestedFiguresAreMeasured() throws {
        let result = try tool.start(["bench", "--only", "start"] + quick).wait()
        #expect(result.code == 0 && result.output.contains("nano, int8, 1 thread, "))
        #expect(result.output.contains("new process to first token") && !result.output.contains("encoder"))
        let missing = try tool.start(["bench", "--only", "audio", "--audio", "missing.wav"] + quick).wait()
        #expect(missing.code == 1 && missing.errors.contains("missing.wav"))
    }
}
