import ArgumentParser
import Foundation
import Steno
import StenoEvaluation

/// What is compared and how, and where the result goes.
struct EvaluationArguments: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "How both texts are normalised; automatic is english for English, basic for other languages, with every "
                + "letter a word where no spaces are written.",
            valueName: "name"))
    var normalizer = TextNormalization.automatic

    @Option(name: .long, help: "What is counted: word errors, character errors, or both.")
    var metric = MetricChoice.both

    @Flag(name: .long, help: "Show what was said above what was heard, wherever they differ.")
    var differences = false

    @Flag(name: .long, help: "Tell the model the language that the manifest names (default: detected, or --language).")
    var manifestLanguage = false

    @Option(name: .long, help: ArgumentHelp("Take only the first recordings.", valueName: "n"))
    var limit: Int?

    @Option(
        name: .long,
        help: ArgumentHelp("Compare these transcripts (.json or .txt) and run no model.", valueName: "folder"))
    var hypotheses: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Say how far the rates are from those of an earlier --json file, and whether by chance.", valueName: "file")
    )
    var compare: String?

    @Option(name: .long, help: ArgumentHelp("Write the result as JSON.", valueName: "file"))
    var json: String?

    @Option(name: .long, help: ArgumentHelp("Write the result as Markdown.", valueName: "file"))
    var markdown: String?

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
    }

    /// Makes sure that the output can be written, and reads the earlier result if one was named, before any work.
    func prepare() throws -> EvaluationResult? {
        for path in [json, markdown].compactMap({ $0 }) {
            try EvaluationResult.checkDestination(URL(fileURLWithPath: path))
        }
        return try compare.map { try EvaluationResult.load(URL(fileURLWithPath: $0)) }
    }
}

/// The metrics as the command names them.
enum MetricChoice: String, CaseIterable, ExpressibleByArgument {
    case wer, cer, both

    var metrics: [EvaluationMetric] { EvaluationMetric(rawValue: rawValue).map { [$0] } ?? EvaluationMetric.allCases }
}
