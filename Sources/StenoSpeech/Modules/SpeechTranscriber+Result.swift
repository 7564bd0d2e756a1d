public import Foundation

#if canImport(CoreMedia)
    public import CoreMedia
#endif

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
        public var description: String {
            "\(range) \(isFinal ? "final" : "volatile"): \(String(text.characters))"
        }
    }
}
