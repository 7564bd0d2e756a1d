import StenoCore

/// A window of speech: where it is, and the voice in it.
package struct SpeakerWindow: Sendable, Hashable {
    /// The samples it covers, without the padding by repetition.
    package var range: Range<Int>
    /// The index of the region of speech that contains it.
    package var region: Int
    /// The voice, of length 1.
    package var embedding: SpeakerEmbedding

    /// The sample in its middle.
    package var centre: Int { (range.lowerBound + range.upperBound) / 2 }
}
