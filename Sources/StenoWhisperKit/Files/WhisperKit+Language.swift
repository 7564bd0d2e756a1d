import Foundation
import Steno

extension WhisperKit {
    /// Detects the language at the start of a file.
    ///
    /// - Returns: The code of the most probable language, and the natural logarithm of every language's probability;
    ///   `und` and no probabilities without speech.
    /// - Throws: ``WhisperError``: `loadAudioFailed`, `transcriptionFailed`; `CancellationError`.
    public func detectLanguage(audioPath: String) async throws -> (language: String, langProbs: [String: Float]) {
        let file = audioPath.fileURL(home: URL(fileURLWithPath: NSHomeDirectory()))
        return try await detect { try AudioFile.open(file) }
    }

    /// Detects the language at the start of samples: 16 kHz, mono, from −1 to 1.
    ///
    /// - Returns: As ``detectLanguage(audioPath:)`` does.
    /// - Throws: ``WhisperError``: `audioProcessingFailed`, `transcriptionFailed`; `CancellationError`.
    public func detectLanguage(audioArray: [Float]) async throws -> (language: String, langProbs: [String: Float]) {
        guard audioArray.allSatisfy(\.isFinite) else {
            throw WhisperError.audioProcessingFailed(
                "Some samples are not finite numbers. Samples must be from −1 to "
                    + "1.")
        }
        return try await detect { try AudioSamples(audioArray, sampleRate: Self.sampleRate, channels: 1).source() }
    }

    /// ``detectLanguage(audioArray:)``, spelled as in WhisperKit.
    public func detectLangauge(audioArray: [Float]) async throws -> (language: String, langProbs: [String: Float]) {
        try await detectLanguage(audioArray: audioArray)
    }

    private func detect(
        _ open: @escaping Transcriber.SourceOpener
    ) async throws -> (language: String, langProbs: [String: Float]) {
        try await WhisperError.wrapping {
            let detection = try await model.loaded().detectLanguage(from: open)
            return (detection.language, detection.probabilities.mapValues { Float(log($0)) })
        }
    }
}
