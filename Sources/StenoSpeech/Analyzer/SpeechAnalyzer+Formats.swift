#if canImport(AVFoundation)
    public import AVFoundation
#endif

extension SpeechAnalyzer {
    /// The format to convert audio to: 16 kHz, one channel of `Int16`, whether a model is installed or not.
    ///
    /// Conversion is not needed: ``AnalyzerInput`` accepts every PCM format.
    /// - Returns: Nil if a module does not belong to this library.
    public static func bestAvailableAudioFormat(compatibleWith modules: [any SpeechModule]) async -> AVAudioFormat? {
        modules.allSatisfy { $0 is any EngineModule } ? .best : nil
    }

    /// The format to convert audio to: the natural one, if its samples are `Float`, `Int16` or `Int32`.
    ///
    /// - Returns: Nil if a module does not belong to this library.
    public static func bestAvailableAudioFormat(
        compatibleWith modules: [any SpeechModule], considering naturalFormat: AVAudioFormat?
    ) async -> AVAudioFormat? {
        guard modules.allSatisfy({ $0 is any EngineModule }) else { return nil }
        return naturalFormat.flatMap { $0.isReadable ? $0 : nil } ?? .best
    }
}
