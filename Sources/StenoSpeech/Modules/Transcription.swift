public import Foundation
import Steno

#if canImport(CoreMedia)
    public import CoreMedia
#endif

/// A result of either kind of transcriber, before conversion to its own type.
struct Transcription: Sendable {
    var range: CMTimeRange
    var resultsFinalizationTime: CMTime
    var text: AttributedString
    var alternatives: [AttributedString]
}

/// Turns the events of an engine into transcriptions on the session's timeline.
///
/// A final event becomes a final result, and a partial one a volatile result, if requested. A partial event without
/// text withdraws the previous volatile result with an empty result for the same range. Punctuation that arrives with
/// the end of an utterance becomes a final result without length, since results are only appended.
struct TranscriptTranslation: EventTranslation {
    struct Reporting: Sendable {
        var volatileResults = false
        var alternatives = false
        var times = false
        var confidence = false
        var punctuation = true
    }

    private(set) var finalTime = 0.0

    private let reporting: Reporting
    private let origin: AudioTime
    /// The end of the last final result, in seconds.
    private var finalEnd = 0.0
    /// The range of the current volatile result.
    private var shown: Range<Double>?
    private var hasText = false
    private var isSpeaking = false
    /// How often speech has begun; the newest utterance has at least this number, counted from 1.
    private var begun = 0
    /// Whether text for speech already heard is still to come.
    private var isPending = false

    init(_ reporting: Reporting, origin: AudioTime) { (self.reporting, self.origin) = (reporting, origin) }

    mutating func results(of event: TranscriptionEvent) -> [Transcription] {
        defer { follow(event) }
        switch event.kind {
        case .final: return event.segments.map { final($0) }
        case .partial:
            guard let segment = event.segments.first else { return withdraw() }
            return reporting.volatileResults ? [volatile(segment)] : []
        case .utteranceEnd: return mark(event.text)
        case .cleared: return withdraw()
        default: return []
        }
    }

    // MARK: Results

    private mutating func final(_ segment: LiveSegment) -> Transcription {
        let start = max(segment.start, finalEnd)
        finalEnd = max(segment.end, start)
        shown = nil
        defer { hasText = true }
        return transcription(of: segment, start..<finalEnd, finalizedTo: finalEnd)
    }

    /// Punctuation after the last final word, at the end of that word: it is not spoken, so its range is empty.
    private func mark(_ mark: String) -> [Transcription] {
        // Symbols such as “€” and “%” are not punctuation.
        let spelling = reporting.punctuation ? mark : mark.withoutPunctuation
        guard hasText, !spelling.isEmpty else { return [] }
        let range = timeRange(finalEnd..<finalEnd)
        var text = AttributedString(spelling)
        if reporting.times { text.speech.audioTimeRange = range }
        return [
            Transcription(
                range: range, resultsFinalizationTime: time(finalEnd), text: text,
                alternatives: reporting.alternatives ? [text] : [])
        ]
    }

    private mutating func volatile(_ segment: LiveSegment) -> Transcription {
        let start = max(segment.start, finalEnd)
        // A range without length would count as final.
        let range = start..<max(segment.end, start + Self.shortest)
        shown = range
        return transcription(of: segment, range, finalizedTo: finalEnd)
    }

    private mutating func withdraw() -> [Transcription] {
        guard let range = shown else { return [] }
        shown = nil
        return [
            Transcription(
                range: timeRange(range), resultsFinalizationTime: time(finalEnd), text: AttributedString(),
                alternatives: [])
        ]
    }

    private static let shortest = 0.001

    private func transcription(
        of segment: LiveSegment, _ range: Range<Double>, finalizedTo seconds: Double
    ) -> Transcription {
        let text = text(of: segment)
        return Transcription(
            range: timeRange(range), resultsFinalizationTime: time(seconds), text: text,
            alternatives: reporting.alternatives ? [text] : [])
    }

    /// The text, word by word; the first text of a session has no space before it.
    private func text(of segment: LiveSegment) -> AttributedString {
        var text = AttributedString()
        for (number, word) in segment.words.enumerated() {
            var spelling = reporting.punctuation ? word.rawText : word.rawText.withoutPunctuation
            if number == 0, !hasText { spelling = String(spelling.trimmingPrefix(" ")) }
            var part = AttributedString(spelling)
            if reporting.times { part.speech.audioTimeRange = timeRange(word.start..<max(word.start, word.end)) }
            if reporting.confidence { part.speech.transcriptionConfidence = word.probability }
            text += part
        }
        return text
    }

    private func time(_ seconds: Double) -> CMTime { CMTime(origin + AudioTime(sampleAt: seconds)) }

    private func timeRange(_ range: Range<Double>) -> CMTimeRange {
        CMTimeRange(start: time(range.lowerBound), end: time(range.upperBound))
    }

    // MARK: What is final

    /// Updates the time before which everything is final: the last final word, or in silence almost the current
    /// position.
    private mutating func follow(_ event: TranscriptionEvent) {
        if let began = event.isSpeaking {
            isSpeaking = began
            if began {
                begun += 1
                isPending = true
            }
        } else if event.kind == .utteranceEnd, !isSpeaking, let utterance = event.utterance, utterance + 1 >= begun {
            isPending = false
        }
        // Speech is noticed a moment after it begins, and decoded with the audio before it.
        let settled = isPending ? finalEnd : max(finalEnd, event.position - Self.noticing)
        finalTime = max(finalTime, settled)
    }

    private static let noticing = 0.5
}

extension AudioTime {
    init(sampleAt seconds: Double) {
        let rate = Int32(AudioFile.sampleRate)
        self.init(value: Int64((seconds * Double(rate)).rounded()), timescale: rate)
    }
}

extension String {
    /// The word without the marks around it; those within stay: “don't”, “3.5”.
    fileprivate var withoutPunctuation: String {
        let isMark: (Character) -> Bool = { $0.isPunctuation && !"%&@#*/\\".contains($0) }
        let space = hasPrefix(" ") ? " " : ""
        let word = trimmingPrefix(" ").trimmingPrefix(while: isMark)
        let end = word.lastIndex { !isMark($0) }
        return end.map { space + String(word[...$0]) } ?? ""
    }
}

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
