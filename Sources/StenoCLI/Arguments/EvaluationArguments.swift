import ArgumentParser
import Foundation
import Steno
import StenoCommandLine
import StenoEvaluation

struct EvaluationArguments: ParsableArguments {
    @Option(
        help: .init(
            "Text normaliser: automatic uses english for English and basic for other languages, and counts characters "
                + "as words in languages written without spaces.", valueName: "name"))
    var normalizer = TextNormalization.automatic
    @Option(help: .init("Word error rate, character error rate, or both.", valueName: "wer|cer|both")) var metric =
        MetricChoice.both
    @Flag(
        help: .init(
            "Also score the speaker labels: diarization error rate (DER), cpWER, words with the wrong speaker. The "
                + "reference is talk.rttm next to talk.wav, or the manifest's segments."))
    var speakers = false
    @Option(
        help: .init(
            "Time around each boundary of the reference that does not count for the DER (default: 0.25).",
            valueName: "time"))
    var collar: Seconds?
    @Flag(help: "Leave overlapping speech out of the DER.") var skipOverlap = false
    @Flag(help: "Show the reference above the transcript wherever they differ.") var differences = false
    @Flag(help: "Use the language given in the manifest (default: detected, or --language).")
    var manifestLanguage = false
    @Option(help: .init("Evaluate only the first n recordings.", valueName: "n")) var limit: Int?
    @Option(help: .init("Score these transcripts (.json or .txt) instead of running a model.", valueName: "folder"))
    var hypotheses: String?
    @Option(help: .init("Compare with an earlier --json result, with a significance test.", valueName: "file"))
    var compare: String?
    @Option(help: .init("Write the result as JSON.", valueName: "file")) var json: String?
    @Option(help: .init("Write the result as Markdown.", valueName: "file")) var markdown: String?
    @Flag(help: "Let --json and --markdown replace existing files (never the inputs).") var force = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more.") }
        guard collar.map({ $0.value >= 0 }) ?? true else { throw ValidationError("--collar must be 0 or more.") }
        guard speakers || (collar == nil && !skipOverlap) else {
            throw ValidationError("--collar and --skip-overlap need --speakers.")
        }
        guard !force || json != nil || markdown != nil else {
            throw ValidationError("--force is for --json and --markdown: add one of them.")
        }
    }

    /// Before any recording is decoded, checks that the output can be written and that it replaces no input.
    ///
    /// - Parameter inputs: The manifest and the recordings.
    func checkOutputs(reading inputs: [URL]) throws {
        let compared = compare.map { LocalFile.url($0) }
        let read = (inputs + [compared].compactMap(\.self)).compactMap { FileIdentity($0) }
        var outputs = OutputFiles(
            overwriting: force, inputs: read, remedy: "Choose another name, or replace it with --force.")
        for path in [json, markdown].compactMap({ $0 }) { try outputs.check(LocalFile.url(path)) }
    }

    /// How speakers are scored; nil when they are not compared.
    var diarization: DiarizationScoring? {
        speakers ? DiarizationScoring(collar: collar?.value ?? 0.25, skipsOverlap: skipOverlap) : nil
    }

    func earlierResult() throws -> EvaluationResult? {
        try compare.map { try EvaluationResult.load(LocalFile.url($0)) }
    }
}

enum MetricChoice: String, CaseIterable, ExpressibleByArgument {
    case wer, cer, both

    var metrics: [EvaluationMetric] { EvaluationMetric(rawValue: rawValue).map { [$0] } ?? EvaluationMetric.allCases }
}
