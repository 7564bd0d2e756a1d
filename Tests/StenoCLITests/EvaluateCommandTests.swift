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

    @Test func recordingsAreTranscribedAndCompared() throws {
        let result = try tool.run(
            "evaluate", manifest.path, "--manifest-language", "--differences", "--json", "out.json", "--markdown",
            "out.md")
        #expect(result.code == 0)
        #expect(result.errors == "")
        for part in ["WER 11.11 %", "1 errors in 9 words of 2 files", "heard  have  you  ever", "times as fast"] {
            #expect(result.output.contains(part), "\(part)")
        }
        #expect(try tool.folder.names().filter { $0.hasPrefix("out.") } == ["out.json", "out.md"])
    }

    /// The rates are in the order of the options.
    @Test func transcriptsAreComparedWithoutAModel() throws {
        let result = try tool.run(
            "evaluate", manifest.path, "--hypotheses", "heard", "--metric", "wer", "--json", "before.json",
            environment: ["STENO_MODEL": "/nowhere"])
        #expect(result.code == 0)
        #expect(result.output.contains("WER 22.22 %"))
        #expect(!result.output.contains("CER"))
        try tool.folder.write("Have you always been to Norway", to: "better/norway.txt")
        try tool.folder.write("Tomorrow is Friday.", to: "better/tomorrow.txt")
        let better = try tool.run(
            "evaluate", manifest.path, "--hypotheses", "better", "--compare", "before.json", "--json", "after.json")
        #expect(better.code == 0)
        #expect(better.output.contains("compared on 2 files\nWER 22.22 % → 0.00 %: -22.22 points (95 % interval "))
        #expect(better.output.contains("norway.wav: 2 → 0 errors"))
        let again = try tool.run("evaluate", "before.json", "--compare", "after.json", "--normalizer", "none")
        #expect(again.code == 0)
        #expect(again.output.contains("→"))
    }

    /// A manifest has the language that is spoken, and the English normaliser knows contractions.
    @Test func translationsAreComparedAsEnglish() throws {
        try tool.folder.write(#"{"file": "talk.wav", "text": "It's late", "language": "de"}"#, to: "talk.jsonl")
        try tool.folder.write("It is late.", to: "translated/talk.txt")
        for (option, rate) in [("--translate", "WER 0.00 %"), ("--metric=both", "WER 33.33 %")] {
            let result = try tool.run("evaluate", "talk.jsonl", "--hypotheses", "translated", option)
            #expect(result.code == 0)
            #expect(result.output.contains(rate), "\(result.output)")
        }
    }

    /// Two RTTM files need no recordings or model; labelled transcripts also give figures for words.
    @Test func speakersAreCompared() throws {
        try tool.folder.write(
            "SPEAKER call 1 0 4 <NA> <NA> anna <NA> <NA>\nSPEAKER call 1 4 4 <NA> <NA> bert <NA> <NA>\n",
            to: "reference.rttm")
        try tool.folder.write("SPEAKER call 1 0 5 <NA> <NA> a <NA> <NA>\n", to: "found.rttm")
        let turns = try tool.run(
            "evaluate", "reference.rttm", "--speakers", "--collar", "0", "--hypotheses", "found.rttm",
            environment: ["STENO_MODEL": "/nowhere"])
        #expect(turns.code == 0)
        #expect(turns.output.contains("right in 0 of 1 files\nDER 50.00 % of 8.0 s of speech (collar 0.0 s"))
        #expect(!turns.output.contains("\nWER"))

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
        let words = try tool.run(
            "evaluate", "call.jsonl", "--speakers", "--hypotheses", "found", "--json", "out.json",
            environment: ["STENO_MODEL": "/nowhere"])
        #expect(words.code == 0)
        #expect(words.output.contains("1 of 3 aligned words have the wrong speaker: 33.33 %"))
        #expect(words.output.contains("cpWER 66.67 %"))
        let again = try tool.run("evaluate", "out.json")
        #expect(again.output.contains("1 of 3 aligned words have the wrong speaker: 33.33 %"))
    }

    @Test func aFileThatFailsDoesNotStopTheOthers() throws {
        try tool.folder.write(
            #"{"file": "none.wav", "text": "x"}"# + "\n" + (try String(contentsOf: manifest, encoding: .utf8)),
            to: "some.jsonl")
        let result = try tool.run("evaluate", "some.jsonl", "--hypotheses", "heard")
        #expect(result.code == 1)
        #expect(result.errors.hasPrefix("steno: ") && result.errors.contains("none.wav"))
        #expect(result.output.contains("of 2 files") && result.output.contains("not compared: none.wav"))
        #expect(try tool.run("evaluate", "some.jsonl", "--hypotheses", "heard", "--limit", "1").code == 1)
    }

    @Test(arguments: [
        ["--json", "test.jsonl"], ["--json", "a.out", "--markdown", "a.out"], ["--markdown", "heard/tomorrow.txt"],
    ])
    func inputsAreNeverReplaced(arguments: [String]) throws {
        let before = try Data(contentsOf: manifest)
        let result = try tool.start(["evaluate", "test.jsonl", "--hypotheses", "heard", "--force"] + arguments).wait()
        #expect(result.code == 64 && result.output == "" && result.errors.hasPrefix("steno: "))
        #expect(try Data(contentsOf: manifest) == before)
    }

    @Test func anExistingResultNeedsForce() throws {
        try tool.folder.write("mine", to: "a.json")
        let arguments = ["evaluate", "test.jsonl", "--hypotheses", "heard", "--json", "a.json"]
        let refused = try tool.start(arguments).wait()
        #expect(refused.code == 1 && refused.errors.contains("a.json exists already") && refused.output == "")
        #expect(try tool.text("a.json") == "mine")
        #expect(try tool.start(arguments + ["--force"]).wait().code == 0)
        #expect(try tool.text("a.json").hasPrefix("{"))
    }

    @Test func withoutFilesThereIsNoRate() throws {
        try tool.folder.write(#"{"file": "none.wav", "text": "x"}"#, to: "none.jsonl")
        let result = try tool.run("evaluate", "none.jsonl")
        #expect(result.code == 1)
        #expect(result.output.contains("WER –: 0 errors in 0 words") && !result.output.contains("0.00"))
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

    @Test(arguments: [
        (["none.jsonl"], "none.jsonl is not there"), (["broken.jsonl"], "broken.jsonl, line 2: "),
        (["test.jsonl", "--json", "no/such/folder/a.json"], "cannot be written"),
        (["test.jsonl", "--compare", "test.jsonl"], "not a result"), (["."], "no recordings"),
    ])
    func errorsAreReportedBeforeAnyWork(arguments: [String], part: String) throws {
        try tool.folder.write(#"{"file": "a.wav", "text": "x"}"# + "\nx\n", to: "broken.jsonl")
        let result = try tool.start(["evaluate"] + arguments, environment: ["STENO_MODEL": "/nowhere"]).wait()
        #expect(result.code == 1)
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("steno: ") && result.errors.contains(part), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
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
        let object = try #require(JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        for key in [
            "log_mel_ms", "encode_ms", "cross_ms", "prefill_ms", "greedy_token_ms", "beam5_step_ms", "load_ms",
            "cold_start_ms", "peak_rss_mb", "audio_ms", "real_time_factor",
        ] {
            #expect(try #require(object[key] as? Double, "\(key)") > 0)
        }
        #expect(object["threads"] as? Int == 1)
        #expect(object["tokens"] as? Int == 3)
        let (load, first) = (object["load_ms"] as? Double ?? 0, object["cold_start_ms"] as? Double ?? 0)
        #expect(load < first)
        // The weights are 17 MB.
        #expect(try #require(object["peak_rss_mb"] as? Double) > 17)
    }

    @Test func onlyTheRequestedFiguresAreMeasured() throws {
        let result = try tool.start(["bench", "--only", "start"] + quick).wait()
        #expect(result.code == 0)
        #expect(result.output.contains("nano, int8, 1 thread, "))
        #expect(result.output.contains("new process to first token"))
        #expect(!result.output.contains("encoder"))
    }

    @Test func aMissingFileIsReported() throws {
        let result = try tool.start(["bench", "--only", "audio", "--audio", "missing.wav"] + quick).wait()
        #expect(result.code == 1)
        #expect(result.errors.contains("missing.wav"))
    }
}
