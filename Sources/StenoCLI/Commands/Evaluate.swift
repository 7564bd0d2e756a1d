import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoEvaluation

struct Evaluate: AsyncParsableCommand, ShortlyExplained {
    static let configuration = CommandConfiguration(
        commandName: "evaluate",
        abstract: "Measure the word error rate on your own recordings.",
        discussion: """
            A manifest has one JSON object per line, {"file": "talk.wav", "text": "The reference.", "language": "en"}, \
            with paths relative to its folder ("audio_filepath" works too). A folder has talk.txt next to talk.wav. \
            The rates come with 95 % bootstrap intervals over the files.

              steno evaluate recordings
              steno evaluate test.jsonl --model small --json small.json --markdown small.md
              steno evaluate test.jsonl --model base --compare small.json --differences
              steno evaluate test.jsonl --hypotheses transcripts
              steno evaluate base.json --compare small.json --normalizer basic
              steno evaluate calls --speakers
              steno evaluate reference.rttm --speakers --hypotheses found.rttm

            Results written by --json are compared without transcribing again. With --speakers the reference is \
            talk.rttm next to talk.wav, or "segments" in the manifest; comparing two RTTM files needs no model.

            Exit codes: 0 success, 1 a file failed (the others are still processed), 64 wrong arguments, 66 no usable \
            model, 130 or 143 interrupted.
            """)
    static let commonOptions = [
        "--model", "--language", "--differences", "--json", "--markdown", "--force", "--compare", "--hypotheses",
        "--limit", "--metric", "--speakers",
    ]

    @Argument(help: .init("A manifest, a folder of recordings, or a result.", valueName: "manifest|folder|result"))
    var input: String?
    @OptionGroup(title: "Evaluation") var evaluation: EvaluationArguments
    @OptionGroup(title: "Model") var model: ModelArguments
    @OptionGroup(title: "Language and prompt") var speech: SpeechArguments
    @OptionGroup(title: "Decoding") var decoding: DecodingArguments
    @OptionGroup(title: "Guards") var guards: GuardArguments

    func validate() throws {
        if input == nil {
            throw ValidationError(
                "Name what to evaluate: a folder with talk.txt next to talk.wav, a manifest (JSON lines), or a result.")
        }
        if evaluation.hypotheses != nil, model.model != nil {
            throw ValidationError("--hypotheses scores existing transcripts: leave out --model.")
        }
        if evaluation.speakers, speech.translate {
            throw ValidationError("--speakers scores the words that were spoken: leave out --translate.")
        }
        if evaluation.manifestLanguage, speech.language != nil {
            throw ValidationError("Use --language or --manifest-language, not both.")
        }
    }

    func run() async throws {
        let input = input ?? ""
        let (earlier, scorer, work) = try Self.checkingArguments {
            let work = try EvaluationWork(input, evaluation)
            try evaluation.checkOutputs(reading: work.inputs(LocalFile.url(input)))
            return (try evaluation.earlierResult(), try TextScorer(evaluation.normalizer), work)
        }
        var options = TranscriptionOptions()
        speech.apply(to: &options)
        decoding.apply(to: &options)
        guards.apply(to: &options)
        try await CommandRun.run { [evaluation, model, options] console in
            let output = EvaluationOutput(arguments: evaluation, scorer: scorer, earlier: earlier, console: console)
            switch work {
            case .result(let result):
                return output.finish(output.show(result.rescored(scorer)))
            case .transcripts(let items, let folder):
                let hearing = EvaluationHearing.transcripts(folder, areTranslations: options.task == .translate)
                return try await EvaluationJob(hearing: hearing, output: output).run(items)
            case .turns(let items, let folder):
                return try await EvaluationJob(hearing: .turns(folder), output: output).run(items)
            case .recordings(let items):
                let name = try? ModelLocator.locateForCommand(model.model).name
                let hearing = EvaluationHearing.model(try await model.load(console), name: name ?? "", options)
                return try await EvaluationJob(hearing: hearing, output: output).run(items)
            }
        }
    }
}

enum EvaluationWork {
    case recordings([EvaluationItem])
    case transcripts([EvaluationItem], HypothesisFolder)
    case turns([EvaluationItem], HypothesisFolder)
    case result(EvaluationResult)

    /// Every file that is read: the manifest, recordings, references and transcripts.
    func inputs(_ input: URL) -> [URL] {
        let inside = [input, input.appendingPathComponent("manifest.jsonl")]
        switch self {
        case .result: return inside
        case .recordings(let items): return inside + Self.files(items)
        case .transcripts(let items, let folder), .turns(let items, let folder):
            return inside + Self.files(items) + [folder.folder]
                + folder.folder.childNames.map(folder.folder.appendingPathComponent)
        }
    }

    private static func files(_ items: [EvaluationItem]) -> [URL] {
        items.flatMap {
            [$0.audio, $0.audio.deletingPathExtension().appendingPathExtension("txt"), $0.turns].compactMap(\.self)
        }
    }

    init(_ input: String, _ arguments: EvaluationArguments) throws {
        let location = LocalFile.url(input)
        // Decided by content, since manifests may have the extension .json too.
        if arguments.hypotheses == nil, var result = try? EvaluationResult.load(location) {
            if let limit = arguments.limit { result.files = Array(result.files.prefix(limit)) }
            self = .result(result)
            return
        }
        if location.pathExtension.lowercased() == "rttm" {
            guard arguments.speakers, let found = arguments.hypotheses else {
                throw StenoError(
                    .invalidOption,
                    "\(input) says who speaks when: compare it with --speakers --hypotheses found.rttm, or a folder of "
                        + "transcripts.")
            }
            let items = try EvaluationItem.recordings(inTurns: location).prefix(arguments.limit ?? .max)
            self = .turns(Array(items), HypothesisFolder(LocalFile.url(found)))
            return
        }
        let items = Array(try EvaluationManifest.load(location).items.prefix(arguments.limit ?? .max))
        if let folder = arguments.hypotheses {
            self = .transcripts(items, HypothesisFolder(LocalFile.url(folder)))
        } else {
            self = .recordings(items)
        }
    }
}
