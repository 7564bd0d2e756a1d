public import Foundation

extension Transcriber {
    /// Says which language is spoken at the start of a file (its first 30 seconds).
    ///
    /// With ``DecodingOptions/languageDetectionSegments`` more windows are heard until one is sure; voice activity,
    /// clips and the chunk length choose the sound, and the other options are not looked at.
    public func detectLanguage(
        file: URL, options: DecodingOptions = DecodingOptions()
    ) async throws -> LanguageDetection {
        try await detectLanguage(options: options) { try AudioFile.open(file) }
    }

    /// Says which language is spoken at the start of samples (16 kHz, mono, −1 to 1).
    public func detectLanguage(
        samples: [Float], options: DecodingOptions = DecodingOptions()
    ) async throws -> LanguageDetection {
        try await detectLanguage(options: options) { ArraySampleSource(samples) }
    }

    /// Says which language is spoken at the start of any other sound, such as a pipe.
    public func detectLanguage(
        options: DecodingOptions = DecodingOptions(), from open: @escaping SourceOpener
    ) async throws -> LanguageDetection {
        try await Worker.run("steno.detect") { [model] flag in
            let silero = options.voiceActivity?.detector == .silero ? try BundledSilero.model() : nil
            return try model.detectLanguage(
                try flag.open(open), options: options, silero: silero, isCancelled: { flag.isCancelled })
        }
    }
}
