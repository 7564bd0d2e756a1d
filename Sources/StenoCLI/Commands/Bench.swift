import ArgumentParser
import Foundation
@_spi(Benchmarks) import Steno
import StenoBundledModel
import StenoCommandLine
@_spi(Benchmarks) import StenoEvaluation
import StenoWhisper

struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure the speed of a model on this machine.",
        discussion: """
            Three parts, each repeated; the table lists the median and the range. "window", only for Whisper models, \
            times each stage on 30 s of audio, with a fixed number of tokens, so that the figures depend on the size \
            of the model and not on its text. "audio" transcribes a file, at temperature 0 unless you pass others. "start" runs this command in a \
            new process: the time until the model is loaded and until the first token, and the peak memory after one \
            window.

              steno bench
              steno bench --model small --threads 1
              steno bench --only window,start --runs 21 --json
              steno bench --audio talk.mp3

            Run nothing else at the same time, because that distorts the figures.
            """)

    @Option(help: .init("Number of measured runs, after a warm-up.", valueName: "n")) var runs = 7
    @Option(help: .init("Number of tokens timed per run.", valueName: "n")) var tokens = 64
    @Option(help: .init("Parts to measure: window, audio, start (default: all).", valueName: "part,..."))
    var only: CommaSeparated<SpeedBenchmark.Part>?
    @Option(help: .init("File to transcribe (default: a bundled recording of 11 s).", valueName: "file"))
    var audio: String?
    @Flag(help: "Print one JSON object with flat keys.") var json = false
    @Flag(help: .hidden) var freshProcess = false
    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "Language and prompt") var speech: SpeechArguments
    @OptionGroup(title: "Decoding") var decoding: DecodingArguments

    func validate() throws {
        guard runs >= 1 else { throw ValidationError("--runs must be 1 or more.") }
        guard tokens >= 1 else { throw ValidationError("--tokens must be 1 or more.") }
    }

    func run() async throws {
        try await CommandRun.run { [self] console in
            if freshProcess {
                try await FreshProcess.work(tokens: tokens, report: { console.print($0) }) {
                    try await model.load(console)
                }
                return 0
            }
            let transcriber = try await model.load(console)
            do {
                let report = try await measure(transcriber, console)
                console.print(json ? report.json : report.table)
                return 0
            } catch let error where !(error is CancellationError) {
                console.fail("the benchmark", error)
                return error.exitCode
            }
        }
    }

    private func measure(_ transcriber: Transcriber, _ console: Console) async throws -> SpeedReport {
        var benchmark = SpeedBenchmark()
        benchmark.runs = runs
        benchmark.tokens = tokens
        benchmark.audio =
            try audio.map { LocalFile.url($0) }
            ?? BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
        benchmark.options = decodingOptions(for: transcriber.information)
        if let only { benchmark.parts = Set(only.values) }
        let located = try ModelLocator.locateForCommand(model.model)
        return try await benchmark.run(
            transcriber, name: located.name, freshProcess: childCommand(located),
            progress: { console.showProgress($0) })
    }

    /// As requested, but at temperature 0 by default: a model whose text fails the quality thresholds, such as one with
    /// random weights, would otherwise be timed at every temperature.
    func decodingOptions(for model: SpeechModelInformation) -> TranscriptionOptions {
        let defaults = TranscriptionOptions()
        var options = defaults
        speech.apply(to: &options)
        decoding.apply(to: &options)
        if model.family == WhisperOptions.family, options.whisper.temperatures == defaults.whisper.temperatures {
            options.whisper.temperatures = [0]
        }
        return options.fitting(model)
    }

    /// The command line of the child process that is measured.
    private func childCommand(_ located: LocatedModel) -> FreshProcess? {
        guard let executable = Bundle.main.executableURL else { return nil }
        var arguments = ["bench", "--fresh-process", "--tokens", "\(tokens)", "--model", located.folder.path]
        arguments += ["--precision", model.precision.rawValue]
        if let threads = model.threads { arguments += ["--threads", "\(threads)"] }
        return FreshProcess(executable, arguments: arguments)
    }
}
