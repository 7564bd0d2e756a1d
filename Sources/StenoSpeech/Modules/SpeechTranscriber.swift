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
        self.transcriptionOptions = transcriptionOptions
        self.reportingOptions = reportingOptions
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
