import Foundation
import Steno
import StenoCommandLine
import StenoEvaluation

enum EvaluationHearing {
    case model(Transcriber, name: String, TranscriptionOptions)
    /// Existing transcripts, which may be translations into English.
    case transcripts(HypothesisFolder, areTranslations: Bool)
    /// Who speaks when, without texts.
    case turns(HypothesisFolder)

    /// The model and its precision; nil when no model runs.
    var description: String? {
        guard case .model(let transcriber, let name, _) = self else { return nil }
        return "\(name), \(transcriber.model.information.precision.rawValue)"
    }

    var hasTexts: Bool { if case .turns = self { false } else { true } }
}

struct EvaluationJob {
    let hearing: EvaluationHearing
    let output: EvaluationOutput

    private var console: Console { output.console }

    /// Evaluates all recordings, and returns the exit code; one that fails is reported and does not stop the others.
    ///
    /// A failure that affects every recording stops it; results so far are shown and written.
    func run(_ items: [EvaluationItem]) async throws -> Int32 {
        var result = EvaluationResult(model: hearing.description, normalization: output.scorer.normalization)
        result.diarization = output.arguments.diarization
        let table = hearing.hasTexts ? output.table(items.map(\.name)) : nil
        if let table { console.print(table.header) }
        var progress = EvaluationProgress(count: items.count, start: Date())
        var refusal: Int32?
        for item in items {
            do {
                let file = try await evaluate(item, progress)
                if let table { console.print(table.row(file)) }
                result.files.append(file)
            } catch let error where !(error is CancellationError) {
                console.fail(item.audio.path, error)
                result.failures.append(item.name)
                if concernsEveryItem(error) {
                    refusal = error.exitCode
                    break
                }
            }
            progress.done += 1
        }
        if let refusal, result.files.isEmpty { return refusal }
        if let table { console.print(table.totalRow(result)) }
        let code = output.finish(result)
        return refusal ?? code
    }

    /// Whether the options are at fault, so that every other recording would fail in the same way.
    private func concernsEveryItem(_ error: any Error) -> Bool {
        let isLanguageOfItem =
            output.arguments.manifestLanguage && (error as? StenoError)?.code == .unknownLanguage
        return error.exitCode != 1 && !isLanguageOfItem
    }

    private func evaluate(_ item: EvaluationItem, _ progress: EvaluationProgress) async throws -> EvaluatedFile {
        // Missing parts of a reference are reported before an hour of transcription.
        let speakers = output.arguments.speakers ? try item.labels() : nil
        switch hearing {
        case .transcripts(let folder, let areTranslations):
            var item = item
            if areTranslations { item.language = "en" }
            let heard = try folder.hypothesis(for: item)
            var file = EvaluatedFile(
                item, hypothesis: heard.text, language: heard.language, duration: heard.duration, scorer: output.scorer)
            try compareSpeakers(speakers, &file) { try folder.labels(for: item) }
            return file
        case .turns(let folder):
            var file = EvaluatedFile(item, hypothesis: "", scorer: output.scorer)
            try compareSpeakers(speakers, &file) { try folder.labels(for: item) }
            return file
        case .model(let transcriber, _, var options):
            if output.arguments.manifestLanguage { options.language = item.language }
            return try await hear(item, speakers, transcriber, options, progress)
        }
    }

    private func hear(
        _ item: EvaluationItem, _ speakers: SpeakerLabels?, _ transcriber: Transcriber, _ options: TranscriptionOptions,
        _ progress: EvaluationProgress
    ) async throws -> EvaluatedFile {
        let start = Date()
        var options = options
        // The number of speakers is found, and enrolled voices are not used.
        options.speakers = output.arguments.speakers ? SpeakerOptions() : nil
        let transcript = try await transcriber.transcribe(file: item.audio, options: options) { [console] event in
            guard case .progress(let processed, let total) = event else { return }
            console.showProgress(progress.line(item.name, processed / max(total ?? 0, processed, 0.01), now: Date()))
        }
        var item = item
        // A translation is in English, whatever language is spoken.
        if options.task == .translate { item.language = "en" }
        var file = EvaluatedFile(
            item, hypothesis: transcript.text, language: transcript.language, duration: transcript.duration,
            elapsed: Date().timeIntervalSince(start), scorer: output.scorer)
        try compareSpeakers(speakers, &file) { SpeakerLabels(transcript) }
        return file
    }

    private func compareSpeakers(
        _ reference: SpeakerLabels?, _ file: inout EvaluatedFile, _ heard: () throws -> SpeakerLabels
    ) throws {
        guard let reference, let scoring = output.arguments.diarization else { return }
        file.speakers = SpeakerErrors(
            reference: reference, hypothesis: try heard(), scoring: scoring, scorer: output.scorer,
            language: file.language)
    }
}

struct EvaluationProgress: Sendable {
    let count: Int
    let start: Date
    var done = 0

    /// The progress line while a file is being transcribed.
    func line(_ name: String, _ part: Double, now: Date) -> String {
        let all = (Double(done) + part) / Double(count)
        let elapsed = now.timeIntervalSince(start)
        let left = all > 0 && elapsed >= 0.5 ? "  \(ProgressEstimate.clock(elapsed / all * (1 - all))) left" : ""
        return "\(done + 1) of \(count)  \(name)  \(Int(part * 100)) %\(left)"
    }
}
