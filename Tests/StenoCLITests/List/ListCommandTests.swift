import Foundation
import Steno
import StenoTestSupport
import Testing

/// `steno transcribe --from-list`: a worker that other programs drive.
@Suite(.serialized) struct ListCommandTests {
    private let tool = StenoTool(environment: StenoTool.nano)
    private let tomorrow = Fixtures.file("sounds/tomorrow.wav").path
    private let norway = Fixtures.file("sounds/norway.wav").path

    private func start(_ arguments: [String], _ input: Any?, _ output: OutputReader? = nil) throws -> StartedProgram {
        // One temperature: the long recording repeats itself, and would be decoded again at each.
        let plain = ["transcribe", "--language", "en", "--temperature", "0"]
        return try tool.start(plain + arguments, input: input, output: output)
    }

    private func answers(_ output: String) throws -> [String: [String: Any]] {
        var answers: [String: [String: Any]] = [:]
        for line in output.split(separator: "\n") {
            let answer = try ProgramResult.printed(String(line)).object()
            let id = answer["id"] as? String ?? "line \(answer["line"] ?? "")"
            #expect(answers.updateValue(answer, forKey: id) == nil)
        }
        return answers
    }

    private func code(_ answer: [String: Any]?) -> String? { (answer?["error"] as? [String: Any])?["code"] as? String }

    private func list(_ lines: [String]) throws -> String {
        try tool.folder.write(lines.joined(separator: "\n"), to: "list").path
    }

    /// More than half a minute, in several windows.
    private func long() throws -> String {
        let samples = try samples(norway)
        return try write("long.wav", (0..<18).flatMap { _ in samples })
    }

    /// A call: one side speaks after the other.
    private func call() throws -> String {
        let (first, second) = (try samples(tomorrow), try samples(norway))
        let left = first + [Float](repeating: 0, count: second.count)
        let right = [Float](repeating: 0, count: first.count) + second
        return try write("call.wav", zip(left, right).flatMap { [$0, $1] }, channels: 2)
    }

    private func samples(_ file: String) throws -> [Float] {
        try AudioFile.open(URL(fileURLWithPath: file)).allSamples()
    }

    private func write(_ name: String, _ samples: [Float], channels: Int = 1) throws -> String {
        try AudioFile.write(samples: samples, to: tool.url(name), channels: channels)
        return tool.url(name).path
    }

    private func plain(_ files: [String], _ options: [String] = []) throws -> [[String: Any]] {
        let result = try start(files + options + ["--output-format", "json"], nil).wait()
        let texts = files.count == 1 ? [result.output] : result.output.split(separator: "\n").map(String.init)
        return try texts.map { text in
            var object = try ProgramResult.printed(text, errors: result.errors).object()
            object["file"] = nil
            return object
        }
    }

    private func expect(_ answer: [String: Any]?, is expected: [String: Any]?) throws {
        var answer = try #require(answer)
        #expect(answer.removeValue(forKey: "compute_seconds") as? Double ?? 0 > 0)
        #expect((answer.removeValue(forKey: "model_version") as? String)?.hasPrefix("sha256-") == true)
        for key in ["id", "line", "model", "precision", "steno_version"] { answer[key] = nil }
        #expect(try NSDictionary(dictionary: answer) == NSDictionary(dictionary: #require(expected)))
    }

    /// More than two seconds: nine windows are decoded in four processes, since a worker has to answer as the command does.
    @Test func answersEqualThePlainCommands() throws {
        let long = try long()
        let expected = try plain([tomorrow, norway, long]) + plain([tomorrow], ["--word-timestamps"])
        func expectAnswers(_ lines: [(id: String, line: String, expected: Int)], atOnce: Int) throws {
            let result = try start(["--from-list", list(lines.map(\.line)), "--at-once", "\(atOnce)"], nil).wait()
            #expect(result.code == 0 && result.errors == "")
            let answers = try answers(result.output)
            #expect(answers.count == lines.count)
            for line in lines { try expect(answers[line.id], is: expected[line.expected]) }
        }
        let words = #"{"id": "words", "url": "file://\#(tomorrow)", "options": {"word_timestamps": true}}"#
        try expectAnswers([(tomorrow, tomorrow + "\n", 0), ("words", words, 3)], atOnce: 1)
        let noted = #"{"id": "norway", "path": "\#(norway)", "note": "kept by the caller"}"#
        let last = #"{"id": "long", "path": "\#(long)"}"#
        try expectAnswers([("words", words, 3), ("norway", noted, 1), ("long", last, 2)], atOnce: 3)
    }

    @Test(arguments: [["--speakers", "auto"], ["--channels", "separate"]])
    func answersHaveThePlainCommandsSpeakers(option: [String]) throws {
        let (call, speech) = (try call(), Fixtures.bundledSample("inaugural-1961.wav").path)
        let lines = [
            #"{"id": "speech", "path": "\#(speech)"}"#, #"{"id": "call", "path": "\#(call)"}"#, "missing.wav",
            #"{"id": "part", "path": "\#(call)", "options": {"clip_timestamps": [0, 1.5]}}"#,
        ]
        let result = try start(["--from-list", list(lines), "--at-once", "3"] + option, nil).wait()
        #expect(result.code == 0 && result.errors == "")
        let answers = try answers(result.output)
        #expect(answers.count == 4 && code(answers["missing.wav"]) == "audioNotFound")
        let speakers = answers["call"]?["speakers"] as? [String]
        let label = option[0] == "--speakers" ? "Speaker" : "Channel"
        #expect(speakers?.isEmpty == false && speakers?.allSatisfy { $0.hasPrefix(label) } == true)
        let expected = try plain([speech, call], option) + plain([call], ["--clip-timestamps", "0,1.5"] + option)
        for (id, expected) in zip(["speech", "call", "part"], expected) { try expect(answers[id], is: expected) }
    }

    @Test func aBrokenRecordingAffectsOnlyItsOwnLine() throws {
        try tool.folder.write("", to: "empty.wav")
        try tool.folder.write("These are words, and no recording of any.", to: "words.wav")
        let fifo = tool.url("fifo").path
        #expect(mkfifo(fifo, 0o600) == 0)
        let folder = tool.folder.url.path
        var bytes = Data("missing.wav\n\(folder)/empty.wav\n\(folder)/words.wav\n\(fifo)\n\(folder)\n{\"path\"\n".utf8)
        bytes += [0x61, 0xFF, 0x0A]
        bytes += Data(repeating: 0x78, count: 3 << 20) + [0x0A]
        bytes += Data(#"{"id": "lost", "path": "lost.wav", "options": {"language": "xx"}}"#.utf8)
        bytes += Data("\n{\"id\": \"good\", \"path\": \"\(norway)\"}\r\n".utf8)
        let file = tool.url("list")
        try bytes.write(to: file)
        let result = try start(["--from-list", file.path], nil).wait()
        #expect(result.code == 0)
        let answers = try answers(result.output)
        #expect(answers.count == 10)
        let codes = [
            "missing.wav": "audioNotFound", "\(folder)/empty.wav": "notAudio", "\(folder)/words.wav": "notAudio",
            fifo: "audioUnreadable", folder: "audioNotFound", "line 6": "invalidLine", "line 7": "invalidLine",
            "line 8": "invalidLine", "lost": "unknownLanguage",
        ]
        for (id, expected) in codes where !(expected == "notAudio" && code(answers[id]) == "decoderMissing") {
            #expect(code(answers[id]) == expected, "\(id)")
        }
        #expect((answers["good"]?["text"] as? String)?.contains("Norway") == true)
    }

    @Test func answersArriveWhileTheListIsOpen() throws {
        let (input, output) = (ProgramInput(), OutputReader())
        let running = try start(["--from-list", "-", "--at-once", "1"], input.pipe, output)
        var descriptors: Set<Int> = []
        for number in 1...10 {
            input.write(Data("{\"id\": \"n\(number)\", \"path\": \"\(tomorrow)\"}\n".utf8))
            #expect(output.wait { $0.hasSuffix("\n") && $0.contains("\"n\(number)\"") })
            #if os(Linux)
                let open = "/proc/\(running.process.processIdentifier)/fd"
                descriptors.insert(try FileManager.default.contentsOfDirectory(atPath: open).count)
            #endif
        }
        // The last recording's file and interruption may be closed a moment after its answer.
        #expect((descriptors.max() ?? 0) - (descriptors.min() ?? 0) <= 4)
        try input.close()
        let result = running.wait()
        #expect(result.code == 0 && result.output.split(separator: "\n").count == 10)
    }

    @Test func sigtermFinishesStartedRecordings() throws {
        let output = OutputReader()
        let lines =
            ["{\"id\": \"long\", \"path\": \"\(try long())\"}"]
            + (0..<2000).map { "{\"id\": \"n\($0)\", \"path\": \"\(tomorrow)\"}" }
        let running = try start(["--from-list", try list(lines), "--at-once", "2"], nil, output)
        #expect(output.wait(for: "\"n0\""))
        kill(running.process.processIdentifier, SIGTERM)
        let result = running.wait()
        #expect(result.code == 143)
        let answers = try answers(result.output)
        #expect(answers["long"]?["text"] != nil && answers.count < 2000)
    }

    @Test(arguments: [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)])
    func aSignalEndsAWaitingWorker(signal: Int32, code: Int32) throws {
        let (input, output) = (ProgramInput(), OutputReader())
        let running = try start(["--from-list", "-"], input.pipe, output)
        input.write(Data("\(tomorrow)\n".utf8))
        #expect(output.wait(for: "\n"))
        kill(running.process.processIdentifier, signal)
        #expect(running.wait().code == code)
        withExtendedLifetime(input) {}
    }

    @Test func aClosedPipeEndsAnIdleWorker() throws {
        let input = ProgramInput()
        let running = try tool.startShell(
            "{ \"$0\" transcribe --from-list - --language en; echo $? > code; } | head -n 1", input: input.pipe)
        input.write(Data("\(tomorrow)\n".utf8))
        let result = running.wait()
        #expect(result.output.hasSuffix("}\n") && result.errors == "")
        #expect(try tool.text("code") == "0\n")
        withExtendedLifetime(input) {}
    }

    @Test(
        arguments: [
            (["--from-list", "nowhere"], "nowhere"), (["--from-list", "-", "a.wav"], "a.wav"),
            (["--from-list="], "empty"), (["--from-list", "-", "--output-dir", "x"], "--output-dir"),
            (["--at-once", "2", "a.wav"], "--from-list"), (["--from-list", "-", "-f", "srt"], "JSON"),
            (["--from-list", "-", "--at-once", "0"], "1 to 64"),
            (["--from-list", "-", "--skip-existing"], "--skip-existing"), (["--from-list", "."], "folder"),
        ] as [([String], String)]) func contradictoryArgumentsAreRefused(arguments: [String], word: String) throws
    {
        let result = try start(arguments, nil).wait()
        #expect(result.code == 64 && result.output == "" && result.errors.contains(word))
    }
}
