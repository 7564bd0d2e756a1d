import ArgumentParser
import Testing

@testable import StenoCLI

@Suite struct SecondsTests {
    @Test(
        arguments: [
            ("90", 90), ("1.5", 1.5), ("0:05", 5), ("1:30", 90), ("1:02:03.5", 3723.5), ("0:00:00", 0), ("75:00", 4500),
            ("-1", -1), (".5", 0.5),
        ] as [(String, Double)]) func timesAreSecondsOrClockTimes(typed: String, seconds: Double)
    {
        #expect(Seconds(argument: typed)?.value == seconds)
    }

    @Test(arguments: [
        "", "x", "1:", ":5", "1:60", "1:75:00", "1:-5", "-1:05", "1:2:3:4", "inf", "nan", "1:nan", "1:1e1x",
    ])
    func otherTextIsRejected(typed: String) { #expect(Seconds(argument: typed) == nil) }

    @Test func timeOptionsOfAllCommandsAcceptClockTimes() throws {
        let typed: [[String]] = [
            ["transcribe", "a.wav", "--offset", "0:05", "--duration", "1:00:00"],
            ["transcribe", "a.wav", "--clip-timestamps", "0:05,0:10,1:00"],
            ["transcribe", "a.wav", "--chunk-length", "0:20", "--max-initial-timestamp", "0:01"],
            ["transcribe", "a.wav", "--vad-filter", "--vad-max-speech", "0:30"],
            ["transcribe", "a.wav", "-o", "a.srt", "--split-cues", "--max-cue-duration", "0:07"],
            ["live", "--endpoint", "0:01", "--step", "0:01", "--shed-above", "1:00"],
        ]
        for arguments in typed { _ = try StenoCommand.parseAsRoot(arguments) }
    }
}
