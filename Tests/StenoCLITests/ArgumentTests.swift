import ArgumentParser
import Steno
import Testing

@testable import StenoCLI

@Suite struct ArgumentTests {
    private func options(_ arguments: String...) throws -> DecodingOptions {
        let command = try #require(try StenoCommand.parseAsRoot(["transcribe", "a.wav"] + arguments) as? Transcribe)
        var options = DecodingOptions()
        command.speech.apply(to: &options)
        command.decoding.apply(to: &options)
        return options
    }

    @Test func noArgumentsAreTheLibrarysDefaults() throws {
        #expect(try options() == DecodingOptions())
    }

    @Test func everyArgumentReachesItsOption() throws {
        var expected = DecodingOptions(language: "de", task: .translate)
        expected.beamSize = 2
        expected.bestOf = 3
        expected.patience = 1.5
        expected.lengthPenalty = -0.5
        expected.temperatures = [0, 0.25, 0.5]
        expected.compressionRatioThreshold = nil
        expected.logProbabilityThreshold = -2
        expected.noSpeechThreshold = nil
        expected.suppressTokens = [-1, 50]
        expected.suppressBlank = false
        expected.maxInitialTimestamp = 2
        expected.maxNewTokens = 9
        expected.seed = 7
        expected.audioContext = .positions(700)
        expected.initialPrompt = "Hello."
        expected.conditionOnPreviousText = false
        expected.withoutTimestamps = true
        let parsed = try options(
            "--language", "de", "--task", "translate", "--beam-size", "2", "--best-of", "3", "--patience", "1.5",
            "--length-penalty", "-0.5", "--temperature", "0,0.25", "--temperature", "0.5",
            "--compression-ratio-threshold", "none", "--log-probability-threshold", "-2", "--no-speech-threshold",
            "none",
            "--suppress-tokens", "-1,50", "--no-suppress-blank", "--max-initial-timestamp", "2", "--max-new-tokens",
            "9",
            "--seed", "7", "--audio-context", "700", "--initial-prompt", "Hello.", "--no-condition-on-previous-text",
            "--without-timestamps")
        #expect(parsed == expected)
    }

    @Test func listsMayBeEmpty() throws {
        #expect(try options("--suppress-tokens", "").suppressTokens.isEmpty)
        #expect(try options("--audio-context", "auto").audioContext == .automatic)
    }

    @Test(arguments: [
        ["--temperature", "hot"], ["--temperature", "0,,x"], ["--suppress-tokens", "1.5"],
        ["--audio-context", "0"], ["--audio-context", "half"], ["--compression-ratio-threshold", "inf"],
        ["--output-format", "doc"], ["--precision", "int4"], ["--threads", "0"], ["--task", "summarize"],
        ["--output-format", "srt", "--output-format", "vtt"], ["--output-format", "all"],
        ["--output-format", "srt", "b.wav"], ["--timestamps", "--output-format", "json"],
        ["--timestamps", "--output-dir", "x"], ["-", "-"],
    ])
    func wrongArgumentsAreRefusedBeforeAnyWork(arguments: [String]) {
        #expect(throws: (any Error).self) { try StenoCommand.parseAsRoot(["transcribe", "a.wav"] + arguments) }
    }

    @Test func severalSoundsAsTextOrJSONMayShareStandardOutput() throws {
        for format in ["txt", "json"] {
            _ = try StenoCommand.parseAsRoot(["transcribe", "a.wav", "b.wav", "--output-format", format])
        }
    }
}
