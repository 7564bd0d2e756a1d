public import Foundation
import StenoCore

extension Transcriber {
    /// Translates the speech in a file into English; the task of `options` is ignored.
    ///
    /// For other audio, set the task of the options to `translate`.
    ///
    /// - Throws: As ``transcribe(file:options:)`` does.
    public func translate(
        file: URL, options: TranscriptionOptions = TranscriptionOptions()
    ) async throws -> Transcript {
        var options = options
        options.task = .translate
        return try await transcribe(file: file, options: options)
    }
}
