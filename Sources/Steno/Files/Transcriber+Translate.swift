public import Foundation
import StenoCore

extension Transcriber {
    /// Translates the speech in a file into English; the task of `options` is ignored.
    public func translate(
        file: URL, options: some TranscriptionOptions = TranscriptionRequest(), progress: Progress? = nil
    ) async throws -> Transcript {
        try await transcribe(file: file, options: options.translating, progress: progress)
    }

    /// Translates the speech in samples (16 kHz, mono, −1 to 1) into English; the task of `options` is ignored.
    public func translate(
        samples: [Float], options: some TranscriptionOptions = TranscriptionRequest(), progress: Progress? = nil
    ) async throws -> Transcript {
        try await transcribe(samples: samples, options: options.translating, progress: progress)
    }
}

extension TranscriptionOptions {
    fileprivate var translating: TranscriptionRequest {
        var request = request
        request.task = .translate
        return request
    }
}
