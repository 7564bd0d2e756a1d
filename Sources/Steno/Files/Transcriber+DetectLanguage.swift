public import Foundation
import StenoCore
import StenoVoice

extension Transcriber {
    /// Says which language is spoken at the start of a file (its first 30 seconds).
    ///
    /// With ``DecodingOptions/languageDetectionSegments`` more windows are heard until one is sure; voice activity,
    /// clips and the chunk length choose the audio, and the other options are not looked at.
    public func detectLanguage(
        file: URL, options: some TranscriptionOptions = TranscriptionRequest()
    ) async throws -> LanguageDetection {
        try await detectLanguage(options: options) { try AudioFile.open(file) }
    }

    /// Says which language is spoken at the start of samples (16 kHz, mono, −1 to 1).
    public func detectLanguage(
        samples: [Float], options: some TranscriptionOptions = TranscriptionRequest()
    ) async throws -> LanguageDetection {
        try await detectLanguage(options: options) { ArraySampleSource(samples) }
    }

    /// Says which language is spoken at the start of any other recording, such as a pipe.
    public func detectLanguage(
        options: some TranscriptionOptions = TranscriptionRequest(), from open: @escaping SourceOpener
    ) async throws -> LanguageDetection {
        try await Worker.run("steno.detect") { [model, request = options.request] flag in
            try model.detectLanguage(try flag.open(open), request, isCancelled: { flag.isCancelled })
        }
    }
}
