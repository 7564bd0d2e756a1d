import Steno
import StenoWhisper

/// The transcript of a recording.
public struct TranscriptionResult: Sendable, Hashable, Codable {
    /// The whole text; empty without speech.
    public var text: String
    /// The segments, in order.
    public var segments: [TranscriptionSegment]
    /// The code of the spoken language, such as `en`; `und` if it cannot be detected.
    public var language: String
    /// The timings.
    public var timings: TranscriptionTimings

    /// Creates a result.
    public init(
        text: String, segments: [TranscriptionSegment], language: String,
        timings: TranscriptionTimings = TranscriptionTimings()
    ) { (self.text, self.segments, self.language, self.timings) = (text, segments, language, timings) }
}

extension TranscriptionResult {
    /// The words of all segments, if requested.
    public var allWords: [WordTiming] { segments.flatMap { $0.words ?? [] } }
}

/// Functions that merge results.
public enum TranscriptionUtilities {
    /// Merges results: their texts and segments one after the other, renumbered, and the sum of their timings.
    ///
    /// - Parameters:
    ///   - results: The results; nil for failures.
    ///   - confirmedWords: The words that make up the merged text; nil uses the texts of the results.
    /// - Returns: A result in the language of the first one; `und` without results.
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

/// The timings of a transcription.
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
        (self.inputAudioSeconds, self.fullPipeline, self.tokenCount) = (inputAudioSeconds, fullPipeline, tokenCount)
    }
}

/// The progress of a transcription, reported after every segment.
public struct TranscriptionProgress: Sendable, Hashable {
    /// The time so far.
    public var timings: TranscriptionTimings
    /// The text so far.
    public var text: String
    /// The tokens of the last segment.
    public var tokens: [Int]
    /// The temperature of the last segment.
    public var temperature: Float?
    /// The mean log probability of the last segment's tokens.
    public var avgLogprob: Float?
    /// The compression ratio of the last segment's text.
    public var compressionRatio: Float?
    /// The number of segments before the last one.
    public var windowId: Int

    /// Creates a report.
    public init(
        timings: TranscriptionTimings = TranscriptionTimings(), text: String, tokens: [Int] = [],
        temperature: Float? = nil, avgLogprob: Float? = nil, compressionRatio: Float? = nil, windowId: Int = 0
    ) {
        (self.timings, self.text, self.tokens, self.temperature) = (timings, text, tokens, temperature)
        (self.avgLogprob, self.compressionRatio, self.windowId) = (avgLogprob, compressionRatio, windowId)
    }
}

/// Receives the progress on the transcription's thread, and must return soon; false ends the transcription with the
/// text so far.
public typealias TranscriptionCallback = @Sendable (TranscriptionProgress) -> Bool?

/// Receives the segments of a recording as they are decoded, on the transcription's thread.
public typealias SegmentDiscoveryCallback = @Sendable ([TranscriptionSegment]) -> Void

/// Compression ratios, which reveal a decoder that repeats itself.
public enum TextUtilities {
    /// The ratio of the size of the tokens (four bytes each) to their size compressed by zlib at level 6; infinity if
    /// there are none.
    public static func compressionRatio(of textTokens: [Int]) -> Float {
        ratio(
            textTokens.flatMap { token in withUnsafeBytes(of: Int32(truncatingIfNeeded: token).littleEndian, Array.init)
            })
    }

    /// The ratio of the size of the text in UTF-8 to its size compressed by zlib at level 6; infinity if it is empty.
    public static func compressionRatio(of text: String) -> Float { ratio(Array(text.utf8)) }

    private static func ratio(_ bytes: [UInt8]) -> Float {
        bytes.isEmpty ? .infinity : Float(CompressionRatio.of(bytes))
    }
}
