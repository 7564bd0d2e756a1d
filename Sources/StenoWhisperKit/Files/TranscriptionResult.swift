import Steno

/// The transcript of a recording.
public struct TranscriptionResult: Sendable, Hashable, Codable {
    /// The whole text; empty where nobody speaks.
    public var text: String
    /// The segments, in order.
    public var segments: [TranscriptionSegment]
    /// The code of the spoken language, such as `en`; `und` when the audio has nothing to detect it from.
    public var language: String
    /// How long it took.
    public var timings: TranscriptionTimings

    /// Creates a result.
    public init(
        text: String, segments: [TranscriptionSegment], language: String,
        timings: TranscriptionTimings = TranscriptionTimings()
    ) {
        self.text = text
        self.segments = segments
        self.language = language
        self.timings = timings
    }
}

extension TranscriptionResult {
    /// The words of all segments, where they were asked for.
    public var allWords: [WordTiming] { segments.flatMap { $0.words ?? [] } }
}

/// What can be made of several results.
public enum TranscriptionUtilities {
    /// Makes one result of several: their texts and segments one after the other, numbered anew, and the sum of their
    /// timings.
    ///
    /// - Parameters:
    ///   - results: The results; nil for what failed.
    ///   - confirmedWords: The words whose text is that of the result; nil takes the texts of the results.
    /// - Returns: A result in the language of the first one; `und` where there is none.
    public static func mergeTranscriptionResults(
        _ results: [TranscriptionResult?], confirmedWords: [WordTiming]? = nil
    ) -> TranscriptionResult {
        let results = results.compactMap(\.self)
        var segments = results.flatMap(\.segments)
        for number in segments.indices { segments[number].id = number }
        let text =
            confirmedWords.map { $0.map(\.word).joined() }
            ?? results.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
        let timings = results.reduce(into: TranscriptionTimings()) { sum, result in
            sum.inputAudioSeconds += result.timings.inputAudioSeconds
            sum.fullPipeline += result.timings.fullPipeline
            sum.tokenCount += result.timings.tokenCount
        }
        return TranscriptionResult(
            text: text, segments: segments, language: results.first?.language ?? LanguageDetection.undetermined,
            timings: timings)
    }
}

/// How long a transcription took.
public struct TranscriptionTimings: Sendable, Hashable, Codable {
    /// The duration of the audio, in seconds.
    public var inputAudioSeconds: Double
    /// The time from the call to its result, in seconds.
    public var fullPipeline: Double
    /// The number of tokens of the text.
    public var tokenCount: Int

    /// Tokens for each second of work; 0 while nothing was measured.
    public var tokensPerSecond: Double { fullPipeline > 0 ? Double(tokenCount) / fullPipeline : 0 }
    /// Seconds of work for each second of audio; 0 while nothing was measured.
    public var realTimeFactor: Double { inputAudioSeconds > 0 ? fullPipeline / inputAudioSeconds : 0 }
    /// Seconds of audio for each second of work; 0 while nothing was measured.
    public var speedFactor: Double { fullPipeline > 0 ? inputAudioSeconds / fullPipeline : 0 }

    /// Creates timings.
    public init(inputAudioSeconds: Double = 0, fullPipeline: Double = 0, tokenCount: Int = 0) {
        self.inputAudioSeconds = inputAudioSeconds
        self.fullPipeline = fullPipeline
        self.tokenCount = tokenCount
    }
}

/// How far the transcription of a recording has come: it is reported after every segment.
public struct TranscriptionProgress: Sendable, Hashable {
    /// How long it has taken.
    public var timings: TranscriptionTimings
    /// The text so far.
    public var text: String
    /// The tokens of the last segment.
    public var tokens: [Int]
    /// The temperature of the last segment.
    public var temperature: Float?
    /// The mean log probability of the last segment's tokens.
    public var avgLogprob: Float?
    /// How well the last segment's text compresses.
    public var compressionRatio: Float?
    /// The number of segments before the last one.
    public var windowId: Int

    /// Creates a report.
    public init(
        timings: TranscriptionTimings = TranscriptionTimings(), text: String, tokens: [Int] = [],
        temperature: Float? = nil, avgLogprob: Float? = nil, compressionRatio: Float? = nil, windowId: Int = 0
    ) {
        self.timings = timings
        self.text = text
        self.tokens = tokens
        self.temperature = temperature
        self.avgLogprob = avgLogprob
        self.compressionRatio = compressionRatio
        self.windowId = windowId
    }
}

/// Receives the progress on the thread of the transcription, and must return soon; false ends the transcription, whose
/// result is what has been transcribed by then.
public typealias TranscriptionCallback = @Sendable (TranscriptionProgress) -> Bool?

/// Receives the segments of a recording as they are decoded, on the thread of the transcription.
public typealias SegmentDiscoveryCallback = @Sendable ([TranscriptionSegment]) -> Void
