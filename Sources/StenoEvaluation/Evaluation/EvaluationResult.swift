public import Foundation
import Steno
import StenoCore

/// The result of an evaluation, file by file; its JSON can be read back and compared.
public struct EvaluationResult: Sendable, Hashable, Codable {
    /// The model and its precision, such as `base, int8`; nil for existing transcripts.
    public var model: String?
    /// How the texts were normalised.
    public var normalization: TextNormalization
    /// The files that were compared, in the manifest's order.
    public var files: [EvaluatedFile]
    /// The files that could not be evaluated; they are not counted elsewhere.
    public var failures: [String]
    /// How speaker labels were scored; nil if speakers were not compared.
    public var diarization: DiarizationScoring?

    /// Creates a result.
    public init(
        model: String? = nil, normalization: TextNormalization, files: [EvaluatedFile] = [], failures: [String] = []
    ) {
        self.model = model
        self.normalization = normalization
        self.files = files
        self.failures = failures
    }

    /// The total counts.
    public func total(_ metric: EvaluationMetric) -> ErrorCounts { files.map(metric.counts).total() }

    /// The total rate; nil if no file was evaluated, or no reference has words.
    public func rate(_ metric: EvaluationMetric) -> Double? { files.isEmpty ? nil : total(metric).rate }

    /// The confidence interval of the total; nil with fewer than two files.
    public func interval(_ metric: EvaluationMetric, _ bootstrap: Bootstrap = Bootstrap()) -> ConfidenceInterval? {
        bootstrap.interval(files.map(metric.counts))
    }

    /// The total duration of the audio in seconds.
    public var duration: Double { files.compactMap(\.duration).reduce(0, +) }

    /// Seconds of audio per second of processing, over the files with both durations; nil without any.
    public var speed: Double? {
        let timed = files.filter { $0.duration != nil && $0.elapsed != nil }
        let elapsed = timed.compactMap(\.elapsed).reduce(0, +)
        return elapsed > 0 ? timed.compactMap(\.duration).reduce(0, +) / elapsed : nil
    }

    /// The same texts in another normalisation.
    public func rescored(_ scorer: TextScorer) -> Self {
        var result = self
        result.normalization = scorer.normalization
        result.files = files.map { $0.rescored(scorer) }
        return result
    }

    private enum CodingKeys: String, CodingKey {
        case model
        case normalization = "normalizer"
        case files, failures
        case diarization = "diarization_scoring"
    }
}

extension EvaluationResult {
    /// Reads a result that ``json(_:)`` wrote.
    ///
    /// - Throws: `StenoError` `evaluationInput` when the file is not a result.
    public static func load(_ file: URL) throws -> Self {
        let text = try EvaluationInput.text(file)
        let result: Self
        do {
            result = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
        } catch {
            throw EvaluationInput.failure("\(file.path) is not a result of steno evaluate --json.", error)
        }
        // Sums of greater counts could overflow.
        if let wrong = result.files.first(where: { !$0.counts.allSatisfy((0...1_000_000_000_000).contains) }) {
            throw EvaluationInput.failure(
                "\(file.path) is damaged: it has a count for \(wrong.file) that is impossible.")
        }
        return result
    }

    /// Checks that a result can be written, because an evaluation can take hours.
    ///
    /// - Throws: `StenoError` `outputFailed` if the file's folder is missing or not writable.
    public static func checkDestination(_ file: URL) throws {
        let folder = file.deletingLastPathComponent()
        guard !file.isFolder, AtomicFile.canWrite(in: folder) else {
            throw StenoError(
                .outputFailed,
                "\(file.path) cannot be written. Check the folder's permissions and free space.")
        }
    }

    /// Writes a result as text, atomically.
    ///
    /// - Throws: `StenoError` `outputFailed`.
    public static func write(_ text: String, to file: URL) throws { try AtomicFile.write(text, to: file) }
}

/// A recording whose transcript was compared with a reference.
public struct EvaluatedFile: Sendable, Hashable, Codable {
    /// The name of the recording in the manifest.
    public var file: String
    /// The language both texts were normalised in; nil when it is unknown.
    public var language: String?
    /// The duration of the audio in seconds; nil if the transcript lacks it.
    public var duration: Double?
    /// The duration of the transcription in seconds; nil for an existing transcript.
    public var elapsed: Double?
    /// The reference, as in the manifest.
    public var reference: String
    /// The hypothesis, as in the transcript.
    public var hypothesis: String
    /// The normalised reference.
    public var normalizedReference: String
    /// The normalised hypothesis.
    public var normalizedHypothesis: String
    /// The hits and errors in words.
    public var words: ErrorCounts
    /// The hits and errors in characters.
    public var characters: ErrorCounts
    /// The errors in speaker labels; nil if speakers were not compared.
    public var speakers: SpeakerErrors?

    /// Scores a transcript against the reference.
    ///
    /// The language comes from the manifest, or else from `language`.
    public init(
        _ item: EvaluationItem, hypothesis: String, language: String? = nil, duration: Double? = nil,
        elapsed: Double? = nil, scorer: TextScorer
    ) {
        self.init(
            file: item.name, reference: item.text, hypothesis: hypothesis, language: item.language ?? language,
            duration: duration, elapsed: elapsed, scorer: scorer)
    }

    /// The same texts in another normalisation.
    public func rescored(_ scorer: TextScorer) -> Self {
        var rescored = Self(
            file: file, reference: reference, hypothesis: hypothesis, language: language, duration: duration,
            elapsed: elapsed, scorer: scorer)
        // The words with their speakers are not kept.
        rescored.speakers = speakers
        return rescored
    }

    var counts: [Int] {
        let rates = [words, characters, speakers?.words?.concatenated ?? ErrorCounts()]
        return rates.flatMap { [$0.hits, $0.substitutions, $0.deletions, $0.insertions] }
            + [speakers?.words?.aligned, speakers?.words?.wrongSpeaker, speakers?.speakers, speakers?.found]
            .compactMap(\.self)
    }

    private init(
        file: String, reference: String, hypothesis: String, language: String?, duration: Double?, elapsed: Double?,
        scorer: TextScorer
    ) {
        let score = scorer.score(reference: reference, hypothesis: hypothesis, language: language)
        self.file = file
        self.language = language
        self.duration = duration
        self.elapsed = elapsed
        self.reference = reference
        self.hypothesis = hypothesis
        normalizedReference = score.reference
        normalizedHypothesis = score.hypothesis
        words = score.words
        characters = score.characters
    }

    private enum CodingKeys: String, CodingKey {
        case file, language, duration, elapsed, reference, hypothesis
        case normalizedReference = "normalized_reference"
        case normalizedHypothesis = "normalized_hypothesis"
        case words, characters, speakers
    }
}

/// What is counted: words or characters.
public enum EvaluationMetric: String, Sendable, Hashable, Codable, CaseIterable {
    /// Words: the word error rate (WER).
    case words = "wer"
    /// Characters: the character error rate (CER).
    case characters = "cer"

    /// The counts of a file.
    public func counts(_ file: EvaluatedFile) -> ErrorCounts { self == .words ? file.words : file.characters }

    /// The name of the counted units.
    public var noun: String { self == .words ? "words" : "characters" }
}
