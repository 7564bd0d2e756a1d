/// The available detectors of speech; StenoVoice has them.
package enum DetectorKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The Silero network.
    case silero
    /// The level relative to the noise: needs no model, but cannot tell speech from other noise.
    case energy
}
