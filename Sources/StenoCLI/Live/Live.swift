import ArgumentParser
import Foundation
import Steno

/// `steno live`: sound in, text while it is spoken.
struct Live: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write down what is said while it is said.")

    @Option(name: .long, help: ArgumentHelp("A sound file, or - for standard input.", valueName: "-|file"))
    var input: String

    @Option(name: .long, help: "The language spoken (default: detected).")
    var language: String?
    @Flag(name: .long, help: "Translate into English.")
    var translate = false
    @Option(name: .long, help: "The form of the output.")
    var format = LiveFormat.jsonl
    @Option(name: .long, help: "How the sound's time passes.")
    var pace = LivePace.realtime
    @Option(name: .long, help: "With --pace fast: the seconds of sound each decoding takes.")
    var charge: Double?

    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "Policy") var policy: LivePolicyArguments

    func run() async throws {
        var options = LiveOptions(language: language, task: translate ? .translate : .transcribe)
        policy.apply(to: &options)
        try await CommandRun.run { [model, options, input, pace, charge] console in
            let transcriber = try await model.load(console)
            let enginePace: WhisperEngine.Pace =
                switch pace {
                case .realtime: .realTime
                case .measured: .measured(factor: 1)
                case .fast: charge.map { .charged(seconds: $0) } ?? .fast
                }
            let engine = try WhisperEngine(model: transcriber.model, options: options, pace: enginePace)
            let shown = Task {
                let output = LiveJSONLines(console: console)
                for await event in engine.events { output.show(event) }
                output.end()
            }
            try await engine.start()
            let source = try Inputs.open(input)
            var buffer = [Float](repeating: 0, count: 1600)
            let clock = ContinuousClock(), start = clock.now
            var sent = 0
            while true {
                let count = try buffer.withUnsafeMutableBufferPointer { try source.read(into: $0) }
                if count == 0 { break }
                sent += count
                if pace == .realtime { try await Task.sleep(until: start + .seconds(Double(sent) / 16000), clock: clock) }
                try await engine.append(Array(buffer[..<count]))
            }
            try await engine.finish()
            await shown.value
            let done = engine.statistics
            console.verbose(String(format: "live: %d decodings, %.3f s, %.3f s for a second of sound", done.decodings, done.decodingSeconds, done.computePerSecond))
            return 0
        }
    }
}
