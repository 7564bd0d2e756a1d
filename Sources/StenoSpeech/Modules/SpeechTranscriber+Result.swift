public import Foundation

#if canImport(CoreMedia)
    public import CoreMedia
#endif

extension SpeechTranscriber {
    /// A piece of the transcript.
    public struct Result: SpeechModuleResult, Sendable, Hashable, CustomStringConvertible {
        /// The range of the audio that the text is about.
        public let range: CMTimeRange
        /// Results before this time are final.
        public let resultsFinalizationTime: CMTime
        /// The text, with a space before it unless it is the first; empty where a volatile result is withdrawn.
        public let text: AttributedString
        /// With ``ReportingOption/alternativeTranscriptions``, the texts that were considered: here the text alone.
        public let alternatives: [AttributedString]

        init(_ transcription: Transcription) {
            range = transcription.range
            resultsFinalizationTime = transcription.resultsFinalizationTime
            text = transcription.text
            alternatives = transcription.alternatives
        }

        /// The range, whether it is final, and the text.
        public var description: String {
            "\(range) \(isFinal ? "final" : "volatile"): \(String(text.characters))"
        }
    }
}
