public import Foundation
import Steno

/// Transcribes dictation in one language.
///
/// Unlike a ``SpeechTranscriber``, it has options for punctuation and for how soon text becomes final.
///
/// The models are the same, so both support the same languages and machines.
public final class DictationTranscriber: LocaleDependentSpeechModule {
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
        (self.contentHints, self.transcriptionOptions) = (contentHints, transcriptionOptions)
        (self.reportingOptions, self.attributeOptions) = (reportingOptions, attributeOptions)
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

extension DictationTranscriber {
    /// The kind of dictation.
    public struct ContentHint: Sendable, Hashable {
        private enum Kind: Hashable {
            case shortForm, farField, atypicalSpeech
            case customizedLanguage(SFSpeechLanguageModel.Configuration)
        }

        private let kind: Kind

        /// A minute or less; without effect here, because the models need no hint.
        public static let shortForm = ContentHint(kind: .shortForm)
        /// From a distance; without effect here.
        public static let farField = ContentHint(kind: .farField)
        /// With an accent or an impediment; without effect here.
        public static let atypicalSpeech = ContentHint(kind: .atypicalSpeech)

        /// With a custom language model, which cannot be read here: the analyzer refuses it
        /// (`malformedSupplementalModel`).
        public static func customizedLanguage(
            modelConfiguration: SFSpeechLanguageModel.Configuration
        ) -> ContentHint { ContentHint(kind: .customizedLanguage(modelConfiguration)) }

        var isCustomizedLanguage: Bool { if case .customizedLanguage = kind { true } else { false } }
    }

    /// How the text is written.
    public enum TranscriptionOption: Sendable, Hashable, CaseIterable {
        /// With punctuation; without this option the marks around words are removed.
        case punctuation
        /// Spoken emoji become characters; without effect here.
        case emoji
        /// Masks rude words; without effect here: the text is verbatim.
        case etiquetteReplacements
    }

    /// Which results to deliver.
    public enum ReportingOption: Sendable, Hashable, CaseIterable {
        /// Partial text, before it is final.
        case volatileResults
        /// Alternative texts; here only the text itself.
        case alternativeTranscriptions
        /// Text becomes final after a short pause, not only at the end of an utterance.
        case frequentFinalization
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
        /// The kind of dictation.
        public var contentHints: Set<ContentHint>
        /// How the text is written.
        public var transcriptionOptions: Set<TranscriptionOption>
        /// Which results to deliver.
        public var reportingOptions: Set<ReportingOption>
        /// The attributes of the text.
        public var attributeOptions: Set<ResultAttributeOption>

        /// Creates a preset.
        public init(
            contentHints: Set<ContentHint>, transcriptionOptions: Set<TranscriptionOption>,
            reportingOptions: Set<ReportingOption>, attributeOptions: Set<ResultAttributeOption>
        ) {
            (self.contentHints, self.transcriptionOptions) = (contentHints, transcriptionOptions)
            (self.reportingOptions, self.attributeOptions) = (reportingOptions, attributeOptions)
        }

        private init(
            _ hints: Set<ContentHint> = [], punctuation: Bool = true, progressive: Bool = false,
            _ attributes: Set<ResultAttributeOption> = []
        ) {
            self.init(
                contentHints: hints, transcriptionOptions: punctuation ? [.punctuation] : [],
                reportingOptions: progressive ? [.volatileResults, .frequentFinalization] : [],
                attributeOptions: attributes)
        }

        /// A phrase without punctuation.
        public static let phrase = Preset([.shortForm], punctuation: false)
        /// A minute or less.
        public static let shortDictation = Preset([.shortForm])
        /// A minute or less, with partial text.
        public static let progressiveShortDictation = Preset([.shortForm], progressive: true)
        /// Any length.
        public static let longDictation = Preset()
        /// Any length, with partial text.
        public static let progressiveLongDictation = Preset(progressive: true)
        /// Any length, with the times of words.
        public static let timeIndexedLongDictation = Preset([], [.audioTimeRange])
    }
}

/// Apple's custom language models, so that code that refers to them compiles.
public enum SFSpeechLanguageModel {
    /// The files of a customised language model.
    public struct Configuration: Sendable, Hashable {
        /// The compiled language model.
        public let languageModel: URL
        /// The compiled vocabulary.
        public let vocabulary: URL?

        /// Names the files.
        public init(languageModel: URL, vocabulary: URL? = nil) {
            (self.languageModel, self.vocabulary) = (languageModel, vocabulary)
        }
    }
}
