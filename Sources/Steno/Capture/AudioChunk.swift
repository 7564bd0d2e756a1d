/// A piece of audio in the format of the engine (16 kHz, mono, −1 to 1) and its position.
public struct AudioChunk: Sendable, Hashable {
    /// The index of the first sample, counted at 16 kHz from the start of the audio.
    public let position: Int
    /// The samples; empty when the chunk only carries reports.
    public let samples: [Float]
    /// The discontinuities between the end of the previous chunk and the end of this one.
    public let discontinuities: [AudioDiscontinuity]

    /// The index after the last sample.
    public var end: Int { position + samples.count }

    /// Creates a chunk.
    public init(position: Int, samples: [Float], discontinuities: [AudioDiscontinuity] = []) {
        self.position = position
        self.samples = samples
        self.discontinuities = discontinuities
    }
}

/// A position at which the start times show that audio is missing or was delivered twice.
public struct AudioDiscontinuity: Sendable, Hashable {
    /// The kind of discontinuity and how it was handled.
    public enum Kind: String, Sendable, Hashable {
        /// Audio was missing and was replaced by silence of the same length.
        case filled
        /// Much audio was missing; positions jump, without samples in between.
        case skipped
        /// Audio was delivered twice; the repetition was dropped.
        case overlapped
        /// The clock of the source was set back; positions continue, and later times count from here.
        case clockReset = "clock_reset"
    }

    /// The kind of discontinuity and how it was handled.
    public let kind: Kind
    /// The position of the discontinuity, in samples at 16 kHz.
    public let position: Int
    /// The length of the missing or repeated audio or of the jump back, in samples at 16 kHz, rounded.
    public let length: Int

    /// Creates a report.
    public init(_ kind: Kind, position: Int, length: Int) {
        self.kind = kind
        self.position = position
        self.length = length
    }
}
