public import Foundation
import Steno

/// Transcribes dictation in one language.
///
/// Unlike a ``SpeechTranscriber``, it has options for punctuation and for how soon text becomes final.
///
/// The models are the same, so both support the same languages and machines.
public final class DictationTranscriber: LocaleDependentSpeechModule {
    /// The locale of the speech.
    let selectedLocale: Locale
    let claim = ModuleClaim()
    let environment = SpeechEnvironment.current

    private let contentHints: Set<ContentHint>
    private let transcriptionOptions: Set<TranscriptionOption>
    private let reportingOptions: Set<ReportingOption>
    private let attributeOptions: Set<ResultAttributeOption>
    private let channel = ResultChannel<Result>()

    /// Creates a transcriber.
    ///
    /// - Parameters:
    ///   - locale: Only its language matters; the analyzer refuses a language that no model supports.
    ///   - contentHints: The kind of dictation.
    ///   - transcriptionOptions: How the text is written.
    ///   - reportingOptions: Which results to deliver.
    ///   - attributeOptions: The attributes of the text.
    public init(
        locale: Locale, contentHints: Set<ContentHint>, transcriptionOptions: Set<TranscriptionOption>,
        reportingOptions: Set<ReportingOption>, attributeOptions: Set<ResultAttributeOption>
    ) {
        selectedLocale = locale
        self.contentHints = contentHints
        self.transcriptionOptions = transcriptionOptions
        self.reportingOptions = reportingOptions
        self.attributeOptions = attributeOptions
    }

    /// Creates a transcriber with the options of a preset.
    public convenience init(locale: Locale, preset: Preset) {
        self.init(
            locale: locale, contentHints: preset.contentHints, transcriptionOptions: preset.transcriptionOptions,
            reportingOptions: preset.reportingOptions, attributeOptions: preset.attributeOptions)
    }

    /// The results, in order; they are buffered until they are read.
    public var results: ModuleResults<Result> { ModuleResults(channel: channel) }

    /// The locale of the transcriber.
    public var selectedLocales: [Locale] { [selectedLocale] }
}

// MARK: - The engine

extension DictationTranscriber: EngineModule {
    var locale: Locale? { selectedLocale }

    func check() throws {
        guard !contentHints.contains(where: \.isCustomizedLanguage) else {
            throw SFSpeechError(
                .malformedSupplementalModel,
                "Language models compiled with Apple's tools cannot be read here. Pass their words to the analyzer "
                    + "instead: context.contextualStrings[.general].")
        }
    }

    func adjust(_ options: inout LiveOptions, isFile: Bool) {
        if reportingOptions.contains(.frequentFinalization) { return }
        if reportingOptions.contains(.volatileResults) {
            options.pause = max(options.pause, options.endpoint)
        } else {
            options.finalizeLate(isFile: isFile)
        }
    }

    func read(_ events: TranscriptionEvents, _ session: ModuleSession) async {
        let reporting = TranscriptTranslation.Reporting(
            volatileResults: reportingOptions.contains(.volatileResults),
            alternatives: reportingOptions.contains(.alternativeTranscriptions),
            times: attributeOptions.contains(.audioTimeRange),
            confidence: attributeOptions.contains(.transcriptionConfidence),
            punctuation: transcriptionOptions.contains(.punctuation))
        let translation = TranscriptTranslation(reporting, origin: session.origin)
        await session.read(events, translation, into: channel) { Result($0) }
    }

    func finish(throwing error: (any Error)?) { channel.finish(throwing: error) }
}

extension DictationTranscriber {
    /// A piece of the transcript, as for ``SpeechTranscriber``.
    public typealias Result = SpeechTranscriber.Result
}
