/// The available speech detectors, implemented in StenoVoiceActivity.
package enum DetectorKind: String, Sendable, Hashable, Codable, CaseIterable {
    case silero
    /// The level relative to the noise: needs no model, but cannot tell speech from other noise.
    case energy
}
