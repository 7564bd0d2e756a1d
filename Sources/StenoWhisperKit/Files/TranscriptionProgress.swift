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
        self.timings = timings
        self.text = text
        self.tokens = tokens
        self.temperature = temperature
        self.avgLogprob = avgLogprob
        self.compressionRatio = compressionRatio
        self.windowId = windowId
    }
}

/// Receives the progress on the transcription's thread, and must return soon; false ends the transcription with the
/// text so far.
public typealias TranscriptionCallback = @Sendable (TranscriptionProgress) -> Bool?

/// Receives the segments of a recording as they are decoded, on the transcription's thread.
public typealias SegmentDiscoveryCallback = @Sendable ([TranscriptionSegment]) -> Void
