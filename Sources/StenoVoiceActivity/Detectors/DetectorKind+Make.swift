package import StenoCore

extension DetectorKind {
    /// Makes a detector of this kind.
    ///
    /// - Throws: `StenoError`: `resourceMissing`, `modelDamaged` if the bundled network cannot be loaded.
    package func make() throws -> any VoiceActivityDetector {
        switch self {
        case .silero: try SileroDetector(BundledSilero.model())
        case .energy: EnergyDetector()
        }
    }
}
