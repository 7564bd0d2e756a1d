public import Foundation

extension Transcriber {
    /// Says which language is spoken at the start of a file (its first 30 seconds).
    public func detectLanguage(file: URL) async throws -> LanguageDetection {
        try await detectLanguage { try AudioFile.open(file) }
    }

    /// Says which language is spoken at the start of samples (16 kHz, mono, −1 to 1).
    public func detectLanguage(samples: [Float]) async throws -> LanguageDetection {
        try await detectLanguage { ArraySampleSource(samples) }
    }

    /// Says which language is spoken at the start of any other sound, such as a pipe.
    public func detectLanguage(from open: @escaping SourceOpener) async throws -> LanguageDetection {
        try await Worker.run("steno.detect") { [model] flag in
            try model.detectLanguage(try flag.open(open), isCancelled: { flag.isCancelled })
        }
    }
}
