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
            self.transcriptionOptions = transcriptionOptions
            self.reportingOptions = reportingOptions
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
