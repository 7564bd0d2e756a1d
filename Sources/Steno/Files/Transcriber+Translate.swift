public import Foundation
import StenoCore

extension Transcriber {
    /// Translates the speech in a file into English; the task of `options` is ignored.
    ///
    /// For other audio, set the task of the options to `translate`.
    public func translate(
        file: URL, options: some TranscriptionOptions = TranscriptionRequest()
    ) async throws -> Transcript {
        var request = options.request
        request.task = .translate
        return try await transcribe(file: file, options: request)
    }
}
