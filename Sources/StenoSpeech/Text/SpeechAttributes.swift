public import Foundation

#if canImport(CoreMedia)
    public import CoreMedia
#endif

extension AttributeScopes {
    /// The attributes of a transcriber's text: the time and the probability of each word.
    public struct SpeechAttributes: AttributeScope {
        /// The probability of a word, from 0 to 1.
        public let transcriptionConfidence: ConfidenceAttribute
        /// The time range of a word.
        public let audioTimeRange: TimeRangeAttribute

        /// The key of a word's probability.
        public enum ConfidenceAttribute: AttributedStringKey {
            /// A probability from 0 to 1.
            public typealias Value = Double
            /// The name of the attribute.
            public static let name = "Speech.Confidence"
        }

        /// The key of a word's time.
        public enum TimeRangeAttribute: AttributedStringKey {
            /// A range on the session's timeline.
            public typealias Value = CMTimeRange
            /// The name of the attribute.
            public static let name = "Speech.TimeRange"
        }
    }

    /// The attributes of a transcriber's text.
    public var speech: SpeechAttributes.Type { SpeechAttributes.self }
}

extension AttributeDynamicLookup {
    /// Finds the attributes by name: `text.audioTimeRange`, `run.transcriptionConfidence`.
    public subscript<Key: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.SpeechAttributes, Key>
    ) -> Key { self[Key.self] }
}

extension AttributedString {
    /// The part of the text whose words are in a range of the audio; nil if there are none.
    public func rangeOfAudioTimeRangeAttributes(intersecting timeRange: CMTimeRange) -> Range<AttributedString.Index>? {
        let said = runs.filter { run in
            guard let range = run.speech.audioTimeRange else { return false }
            return range.start < timeRange.end && timeRange.start < range.end
        }
        guard let first = said.first, let last = said.last else { return nil }
        return first.range.lowerBound..<last.range.upperBound
    }
}
