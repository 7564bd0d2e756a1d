import ArgumentParser
import Foundation
@_spi(Benchmarks) import Steno
import StenoBundledModel
@_spi(Benchmarks) import StenoEvaluation
@_spi(Benchmarks) import StenoWhisper

/// `steno-benchmarks engine`: the stages of a window, a file, and the start of a process.
struct EngineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "engine",
        abstract: "Measure the stages of a window, a whole file, two concurrent files, and the start of a process.",
        discussion: """
            The ceilings count only unavoidable work: for the encoder the arithmetic, for a token the bytes of the weights \
            and of the window's keys and values, read from memory once. Everything else takes time too, so nothing reaches \
            them.
            """)

    @OptionGroup var common: CommonArguments
    @OptionGroup var choice: MeasuredChoice
    @Option(name: .long, help: "The file to transcribe (default: a sample of 11 s).")
    var audio: String?

    func run() async throws {
        let audio =
            try audio.map { URL(fileURLWithPath: $0) }
            ?? BundledModel.samples.appendingPathComponent("inaugural-1961.wav")
        let transcriber = try await choice.load(threads: common.threads)
        var benchmark = SpeedBenchmark()
        benchmark.runs = common.runs
        benchmark.audio = audio
        let report = try await benchmark.run(
            transcriber, name: try choice.folder.lastPathComponent, freshProcess: freshProcess())
        print("\(common.heading), \(report.model) in \(report.precision.rawValue)\n")
        print("| what | median | spread | of the roofline |\n|---|---|---|---|")
        let floors = EngineFloors(try whisper(transcriber), Ceilings(threads: common.threads))
        for figure in SpeedFigure.allCases {
            guard let measurements = report.figures[figure] else { continue }
            print(Self.row(figure.rawValue, measurements, floor: floors.milliseconds(figure)))
        }
        print(Self.row("prompt of 228 tokens ms", try longPrompt(try whisper(transcriber))))
        try await printTogether(transcriber, audio)
    }

    private func freshProcess() throws -> FreshProcess? {
        let folder = try choice.folder
        return Bundle.main.executableURL.map {
            FreshProcess(
                $0,
                arguments: [
                    "fresh-process", "--model", folder.path, "--precision", choice.numbers.rawValue,
                    "--threads", "\(common.threads)",
                ])
        }
    }

    /// The longest prompt: half of the model's context and the tokens of every prompt.
    private func longPrompt(_ model: MeasuredModel) throws -> Measurements {
        let window = try WindowStages(model, previousTokens: model.textContext / 2 - 1)
        try window.computeFeatures()
        window.encode()
        window.fillCrossAttentionCache()
        try window.start(beams: 1)
        return Measurements(
            try (0..<common.runs).map { _ in try Stopwatch().milliseconds { try window.start(beams: 1) } })
    }

    /// Two concurrent transcriptions share the threads; that must not take longer than running them sequentially.
    private func printTogether(_ transcriber: Transcriber, _ audio: URL) async throws {
        var greedy = TranscriptionOptions()
        greedy.whisper.temperatures = [0]
        let options = greedy
        var (apart, together) = (Measurements(), Measurements())
        for _ in 0..<common.runs {
            let start = ContinuousClock.now
            for _ in 0..<2 { _ = try await transcriber.transcribe(file: audio, options: options) }
            let middle = ContinuousClock.now
            async let one = transcriber.transcribe(file: audio, options: options)
            async let other = transcriber.transcribe(file: audio, options: options)
            _ = try await (one, other)
            apart.append(Self.milliseconds(start.duration(to: middle)))
            together.append(Self.milliseconds(middle.duration(to: .now)))
        }
        print(Self.row("two files, sequential, ms", apart))
        print(Self.row("two files, concurrent, ms", together))
    }

    private static func milliseconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) / 1e15
    }

    private static func row(_ name: String, _ measurements: Measurements, floor: Double? = nil) -> String {
        let share = floor.map { Format.percent($0 / measurements.median) } ?? "–"
        let spread = "\(Format.digits(measurements.least))–\(Format.digits(measurements.most))"
        return "| \(name) | \(Format.digits(measurements.median)) | \(spread) | \(share) |"
    }
}
