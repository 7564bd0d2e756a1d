import ArgumentParser
import Foundation
@_spi(Benchmarks) import Steno
import StenoBundledModel
@_spi(Benchmarks) import StenoEvaluation

/// `steno bench`: what this machine does with a model.
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure what this machine does with a model.",
        discussion: """
            Three parts, each repeated; the table has the medians, and from the least to the most. "window" is 30 s of audio \
            stage by stage, with a text that never ends by itself, so that the figures depend on the model's size and not on \
            what it writes. "audio" is a file from its opening to its text. "start" runs this command anew: the time from the \
            process' start to its first token, the model's loading included, and its peak memory after one window.

              steno bench
              steno bench --model small --threads 1
              steno bench --only window,start --runs 21 --json
              steno bench --audio talk.mp3

            Other programs that compute at the same time falsify the figures.
            """)

    @Option(name: .long, help: ArgumentHelp("How often everything is measured.", valueName: "n"))
    var runs = 7
    @Option(name: .long, help: ArgumentHelp("How many tokens are timed in one piece.", valueName: "n"))
    var tokens = 64
    @Option(
        name: .long,
        help: ArgumentHelp("The parts that are measured: window, audio, start (default: all).", valueName: "part,…"))
    var only: CommaSeparated<SpeedBenchmark.Part>?
    @Option(
        name: .long,
        help: ArgumentHelp("The file that is transcribed (default: a sample of 11 s).", valueName: "file"))
    var audio: String?
    @Flag(name: .long, help: "Print one JSON object with flat keys.")
    var json = false
    @Flag(name: .long, help: .hidden)
    var freshProcess = false
    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "What is decoded of the file") var speech: SpeechArguments
    @OptionGroup(title: "How the file is decoded") var decoding: DecodingArguments

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
            audio.map { URL(fileURLWithPath: $0) }
            ?? BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
        benchmark.options = decodingOptions
        if let only { benchmark.parts = Set(only.values) }
        let located = try ModelLocator.locateForCommand(model.model)
        return try await benchmark.run(
            transcriber, name: located.name, freshProcess: childCommand(located),
            progress: { console.showProgress($0) })
    }

    /// As asked for, but at temperature 0 if nothing was said: else a model that writes nonsense, as one with random
    /// weights does, would be tried at every temperature.
    var decodingOptions: DecodingOptions {
        let defaults = DecodingOptions()
        var options = defaults
        speech.apply(to: &options)
        decoding.apply(to: &options)
        if options.temperatures == defaults.temperatures { options.temperatures = [0] }
        return options
    }

    /// This command once more, as the process that is measured.
    private func childCommand(_ located: LocatedModel) -> FreshProcess? {
        guard let executable = Bundle.main.executableURL else { return nil }
        var arguments = ["bench", "--fresh-process", "--tokens", "\(tokens)", "--model", located.folder.path]
        arguments += ["--precision", model.precision.rawValue]
        if let threads = model.threads { arguments += ["--threads", "\(threads)"] }
        return FreshProcess(executable, arguments: arguments)
    }
}
