import ArgumentParser
import Foundation
import Steno
import StenoEvaluation

/// `steno evaluate`: how well recordings are heard of which it is known what is said.
struct Evaluate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measure the word error rate on your own recordings.",
        discussion: """
            A manifest has a JSON object a line, {"file": "talk.wav", "text": "What is said.", "language": "en"}, with paths \
            from its own folder ("audio_filepath" is understood too); in a folder, talk.txt stands beside talk.wav. The rates \
            come with a 95 % bootstrap interval over the files.

              steno evaluate recordings
              steno evaluate test.jsonl --model small --json small.json --markdown small.md
              steno evaluate test.jsonl --model base --compare small.json --differences
              steno evaluate test.jsonl --hypotheses transcripts
              steno evaluate base.json --compare small.json --normalizer basic

            The last one transcribes nothing: a result that --json wrote is compared again.

            Exit codes: 0 all went well, 1 some file failed (the others are done), 64 wrong arguments, 130 interrupted.
            """)

    @Argument(
        help: ArgumentHelp("A manifest, a folder of recordings, or a result.", valueName: "manifest|folder|result"))
    var input: String

    @OptionGroup(title: "Evaluation") var evaluation: EvaluationArguments
    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "What is decoded") var speech: SpeechArguments
    @OptionGroup(title: "How it is decoded") var decoding: DecodingArguments
    @OptionGroup(title: "Guards") var guards: GuardArguments

    func validate() throws {
        if evaluation.hypotheses != nil, model.model != nil {
            throw ValidationError("--hypotheses runs no model, so --model has no meaning.")
        }
        if evaluation.manifestLanguage, speech.language != nil {
            throw ValidationError("Give --language or --manifest-language, not both.")
        }
    }

    func run() async throws {
        let (earlier, scorer, work) = try Self.checkingArguments {
            (try evaluation.prepare(), try TextScorer(evaluation.normalizer), try EvaluationWork(input, evaluation))
        }
        var options = DecodingOptions()
        speech.apply(to: &options)
        decoding.apply(to: &options)
        guards.apply(to: &options)
        try await CommandRun.run { [evaluation, model, options] console in
            let output = EvaluationOutput(arguments: evaluation, scorer: scorer, earlier: earlier, console: console)
            switch work {
            case .result(let result):
                return output.finish(output.show(result.rescored(scorer)))
            case .transcripts(let items, let folder):
                return try await EvaluationJob(hearing: .transcripts(folder), output: output).run(items)
            case .recordings(let items):
                let name = try? ModelLocator.command.locate(model.model).name
                let hearing = EvaluationHearing.model(try await model.load(console), name: name ?? "", options)
                return try await EvaluationJob(hearing: hearing, output: output).run(items)
            }
        }
    }
}

/// What the command was asked to compare.
enum EvaluationWork {
    case recordings([EvaluationItem])
    case transcripts([EvaluationItem], HypothesisFolder)
    case result(EvaluationResult)

    init(_ input: String, _ arguments: EvaluationArguments) throws {
        let location = URL(fileURLWithPath: input)
        // By what is in it: manifests are called .json too.
        if arguments.hypotheses == nil, var result = try? EvaluationResult.load(location) {
            if let limit = arguments.limit { result.files = Array(result.files.prefix(limit)) }
            self = .result(result)
            return
        }
        let items = Array(try EvaluationManifest.load(location).items.prefix(arguments.limit ?? .max))
        if let folder = arguments.hypotheses {
            self = .transcripts(items, HypothesisFolder(URL(fileURLWithPath: folder)))
        } else {
            self = .recordings(items)
        }
    }
}
