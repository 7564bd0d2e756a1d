/// A piece of audio as the engine wants it, 16 kHz, mono, from −1 to 1, and where it stands.
public struct AudioChunk: Sendable, Hashable {
    /// The number of the first sample, counted from the start of the audio at 16,000 a second.
    public let position: Int
    /// The samples; none when the chunk only has something to report.
    public let samples: [Float]
    /// What was not continuous between the chunk before and the end of this one.
    public let discontinuities: [AudioDiscontinuity]

    /// The number of the sample after the last one.
    public var end: Int { position + samples.count }

    /// Creates a chunk.
    public init(position: Int, samples: [Float], discontinuities: [AudioDiscontinuity] = []) {
        self.position = position
        self.samples = samples
        self.discontinuities = discontinuities
    }
}

/// A place where the start times say that audio is missing or came twice.
public struct AudioDiscontinuity: Sendable, Hashable {
    /// What was done about it.
    public enum Kind: String, Sendable, Hashable {
        /// Sound was missing; silence of the same length stands for it.
        case filled
        /// Much sound was missing; positions continue behind it, and no samples stand for it.
        case skipped
        /// Sound came that had been there already; it was left out.
        case overlapped
        /// The source's clock was set back; sound continues where it was, and later times count from there.
        case clockReset = "clock_reset"
    }

    /// What was done about it.
    public let kind: Kind
    /// Where the audio would have gone on, in samples at 16 kHz.
    public let position: Int
    /// How much audio was missing, came twice, or was gone back: samples at 16 kHz, rounded.
    public let length: Int

    /// Creates a report.
    public init(_ kind: Kind, position: Int, length: Int) {
        self.kind = kind
        self.position = position
        self.length = length
    }
}
