/// An enrolled voice: a person's biometric data.
package struct SpeakerProfile: Sendable, Hashable, Codable {
    /// The person's name.
    package var name: String
    /// The mean embedding of the voice.
    package var embedding: [Float]
    /// The seconds of speech it was computed from.
    package var seconds: Double

    package init(name: String, embedding: [Float], seconds: Double) {
        self.name = name
        self.embedding = embedding
        self.seconds = seconds
    }
}
