/// A piece of audio in the format of the engine (16 kHz, mono, −1 to 1) and its position.
package struct AudioChunk: Sendable, Hashable {
    /// The index of the first sample, counted at 16 kHz from the start of the audio.
    package let position: Int
    /// The samples; empty when the chunk only carries reports.
    package let samples: [Float]
    /// The discontinuities between the end of the previous chunk and the end of this one.
    package let discontinuities: [AudioDiscontinuity]

    /// The index after the last sample.
    package var end: Int { position + samples.count }

    package init(position: Int, samples: [Float], discontinuities: [AudioDiscontinuity] = []) {
        self.position = position
        self.samples = samples
        self.discontinuities = discontinuities
    }
}

/// A position at which audio is missing or was delivered twice.
package struct AudioDiscontinuity: Sendable, Hashable {
    /// The kind of discontinuity and how it was handled; there may be more in later versions.
    package struct Kind: RawRepresentable, Sendable, Hashable {
        /// Audio was missing and was replaced by silence of the same length.
        package static let filled = Kind(rawValue: "filled")
        /// Much audio was missing; positions jump, without samples in between.
        package static let skipped = Kind(rawValue: "skipped")
        /// Audio was delivered twice; the repetition was dropped.
        package static let overlapped = Kind(rawValue: "overlapped")
        /// The clock of the source was set; positions continue, and later times count from here.
        package static let clockReset = Kind(rawValue: "clock_reset")
        /// The reader was too slow and the buffer was full; the audio was dropped, and positions jump.
        package static let overflowed = Kind(rawValue: "overflowed")

        /// The name, as in the JSON of an event.
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// The kind of discontinuity and how it was handled.
    package let kind: Kind
    /// The position of the discontinuity, in samples at 16 kHz.
    package let position: Int
    /// The length of the missing or repeated audio or of the clock's jump, in samples at 16 kHz, rounded.
    package let length: Int

    package init(_ kind: Kind, position: Int, length: Int) {
        self.kind = kind
        self.position = position
        self.length = length
    }
}
