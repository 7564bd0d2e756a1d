/// An enrolled voice: a person's biometric data.
package struct SpeakerProfile: Sendable, Hashable, Codable {
    package var name: String
    /// The mean embedding of the voice, by the encoder that comes with Steno.
    package var embedding: [Float]
    /// The mean embedding by another encoder, if one was installed; its length differs.
    package var other: [Float]?
    /// The seconds of speech it was computed from.
    package var seconds: Double

    package init(name: String, embedding: [Float], other: [Float]? = nil, seconds: Double) {
        (self.name, self.embedding, self.other, self.seconds) = (name, embedding, other, seconds)
    }

    /// The embedding with this number of values, by which its encoder is known; nil if there is none.
    package func embedding(width: Int) -> [Float]? { [embedding, other ?? []].first { $0.count == width } }
}
