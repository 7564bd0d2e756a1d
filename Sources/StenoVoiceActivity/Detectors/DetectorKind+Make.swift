package import StenoCore

extension DetectorKind {
    /// Makes a detector of this kind for live audio, and to find where to cut utterances.
    ///
    /// - Throws: `StenoError`: `resourceMissing`, `modelDamaged` if the bundled network cannot be loaded.
    package func make() throws -> any VoiceActivityDetector {
        switch self {
        case .silero: try SileroDetector(BundledSilero.model())
        case .energy: EnergyDetector()
        }
    }

    /// Makes a detector of this kind for ``VoiceActivityOptions``, with which the spans are faster-whisper's.
    ///
    /// - Throws: As ``make()``.
    package func makeFilter() throws -> any VoiceActivityDetector {
        switch self {
        case .silero: try SileroDetector(BundledSilero.fasterWhisper())
        case .energy: EnergyDetector()
        }
    }
}
