public import Foundation
import StenoCore
import StenoVoiceActivity

extension Transcriber {
    /// Detects the language spoken at the start of a file (its first 30 seconds).
    ///
    /// With the option `languageDetectionSegments`, more windows are used until one exceeds the
    /// `languageDetectionThreshold`. Voice activity, clips and the chunk length select the audio. Other options are ignored.
    ///
    /// - Throws: As ``transcribe(file:options:)`` does, and `noSpeech` for empty audio and digital silence.
    public func detectLanguage(
        file: URL, options: TranscriptionOptions = TranscriptionOptions()
    ) async throws -> LanguageDetection {
        try await detectLanguage(options: options) { try AudioFile.open(file) }
    }

    /// Detects the language spoken at the start of any other audio: an ``AudioFile``, samples, a pipe.
    package func detectLanguage(
        options: TranscriptionOptions = TranscriptionOptions(), from open: @escaping SourceOpener
    ) async throws -> LanguageDetection {
        try await call("steno.detect") { [model, options] flag in
            try model.detectLanguage(try flag.open(open), options, isCancelled: { flag.isCancelled })
        }
    }
}
