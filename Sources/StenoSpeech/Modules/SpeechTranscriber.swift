public import Foundation
import Steno

#if canImport(CoreMedia)
    public import CoreMedia
#endif

/// Transcribes speech in one language.
///
///     let transcriber = SpeechTranscriber(locale: locale, preset: .transcription)
///     let analyzer = SpeechAnalyzer(modules: [transcriber])
///     Task { for try await result in transcriber.results { print(result.text) } }
///
/// A transcriber belongs to one analyzer. The text of a volatile result is replaced by the next result of its range;
/// concatenating the texts of the final results gives the transcript.
public final class SpeechTranscriber: LocaleDependentSpeechModule {
    let selectedLocale: Locale
    let claim = ModuleClaim()
    let environment = SpeechEnvironment.current

    private let transcriptionOptions: Set<TranscriptionOption>
    private let reportingOptions: Set<ReportingOption>
    private let attributeOptions: Set<ResultAttributeOption>
    private let channel = ResultChannel<Result>()

    /// Creates a transcriber.
    ///
    /// - Parameters:
    ///   - locale: Only its language matters; the analyzer refuses a language that no model supports.
    ///   - transcriptionOptions: How the text is written.
    ///   - reportingOptions: Which results to deliver.
    ///   - attributeOptions: The attributes of the text.
    public init(
        locale: Locale, transcriptionOptions: Set<TranscriptionOption>, reportingOptions: Set<ReportingOption>,
        attributeOptions: Set<ResultAttributeOption>
    ) {
        selectedLocale = locale
        (self.transcriptionOptions, self.reportingOptions) = (transcriptionOptions, reportingOptions)
        self.attributeOptions = attributeOptions
    }

    /// Creates a transcriber with the options of a preset.
    public convenience init(locale: Locale, preset: Preset) {
        self.init(
            locale: locale, transcriptionOptions: preset.transcriptionOptions,
            reportingOptions: preset.reportingOptions, attributeOptions: preset.attributeOptions)
    }

    /// The results, in order; they are buffered until they are read.
    public var results: ModuleResults<Result> { ModuleResults(channel: channel) }

    /// The locale of the transcriber.
    public var selectedLocales: [Locale] { [selectedLocale] }

    /// Whether this machine can transcribe; always true.
    public static var isAvailable: Bool { true }
}

// MARK: - The engine

extension SpeechTranscriber: EngineModule {
    var locale: Locale? { selectedLocale }

    func adjust(_ options: inout LiveOptions, isFile: Bool) {
        if !reportingOptions.contains(.volatileResults) { options.finalizeLate(isFile: isFile) }
    }

    func read(_ events: TranscriptionEvents, _ session: ModuleSession) async {
        let reporting = TranscriptTranslation.Reporting(
            volatileResults: reportingOptions.contains(.volatileResults),
            alternatives: reportingOptions.contains(.alternativeTranscriptions),
            times: attributeOptions.contains(.audioTimeRange),
            confidence: attributeOptions.contains(.transcriptionConfidence))
        let translation = TranscriptTranslation(reporting, origin: session.origin)
        await session.read(events, translation, into: channel) { Result($0) }
    }

    func finish(throwing error: (any Error)?) { channel.finish(throwing: error) }
}

extension SpeechTranscriber {
    /// A piece of the transcript.
    public struct Result: SpeechModuleResult, Sendable, Hashable, CustomStringConvertible {
        /// The range of the audio for this text.
        public let range: CMTimeRange
        /// Results before this time are final.
        public let resultsFinalizationTime: CMTime
        /// The text, with a space before it unless it is the first; empty if a volatile result is withdrawn.
        public let text: AttributedString
        /// With ``ReportingOption/alternativeTranscriptions``, the alternative texts: here only the text itself.
        public let alternatives: [AttributedString]

        init(_ transcription: Transcription) {
            range = transcription.range
            resultsFinalizationTime = transcription.resultsFinalizationTime
            text = transcription.text
            alternatives = transcription.alternatives
        }

        /// The range, whether it is final, and the text.
        public var description: String { "\(range) \(isFinal ? "final" : "volatile"): \(String(text.characters))" }
    }
}

extension SpeechTranscriber {
    /// How the text is written.
    public enum TranscriptionOption: Sendable, Hashable, CaseIterable {
        /// Masks rude words; without effect here: the text is verbatim.
        case etiquetteReplacements
    }

    /// Which results to deliver.
    public enum ReportingOption: Sendable, Hashable, CaseIterable {
        /// Partial text, before it is final.
        case volatileResults
        /// Alternative texts; here only the text itself.
        case alternativeTranscriptions
        /// Results as soon as possible; without effect here: they always are.
        case fastResults
    }

    /// The attributes of the text.
    public enum ResultAttributeOption: Sendable, Hashable, CaseIterable {
        /// The time range of each word.
        case audioTimeRange
        /// The probability of each word, from 0 to 1.
        case transcriptionConfidence
    }

    /// Options for a purpose.
    public struct Preset: Sendable, Hashable {
        /// How the text is written.
        public var transcriptionOptions: Set<TranscriptionOption>
        /// Which results to deliver.
        public var reportingOptions: Set<ReportingOption>
        /// The attributes of the text.
        public var attributeOptions: Set<ResultAttributeOption>

        /// Creates a preset.
        public init(
            transcriptionOptions: Set<TranscriptionOption>, reportingOptions: Set<ReportingOption>,
            attributeOptions: Set<ResultAttributeOption>
        ) {
            (self.transcriptionOptions, self.reportingOptions) = (transcriptionOptions, reportingOptions)
            self.attributeOptions = attributeOptions
        }

        private init(_ reporting: Set<ReportingOption> = [], _ attributes: Set<ResultAttributeOption> = []) {
            self.init(transcriptionOptions: [], reportingOptions: reporting, attributeOptions: attributes)
        }

        /// Final text.
        public static let transcription = Preset()
        /// Final text with alternatives.
        public static let transcriptionWithAlternatives = Preset([.alternativeTranscriptions])
        /// Final text with alternatives and the times of words.
        public static let timeIndexedTranscriptionWithAlternatives = Preset(
            [.alternativeTranscriptions], [.audioTimeRange])
        /// Volatile and final text.
        public static let progressiveTranscription = Preset([.volatileResults, .fastResults])
        /// Volatile and final text with the times of words.
        public static let timeIndexedProgressiveTranscription = Preset(
            [.volatileResults, .fastResults], [.audioTimeRange])

        /// ``transcription``, by the name of WWDC25 session 277.
        public static let offlineTranscription = transcription
        /// ``progressiveTranscription``, by the name of WWDC25 session 277.
        public static let progressiveLiveTranscription = progressiveTranscription
    }
}
