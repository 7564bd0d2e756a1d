package import Steno

/// What a backend reports, in order.
package enum RecognitionReport: Sendable, Hashable {
    /// Text.
    case phrase(RecognizedPhrase)
    /// The request to finalize with this number is done.
    case finalized(Int)
}

/// A recogniser of the system: audio in, phrases out.
package protocol RecognitionBackend: Sendable {
    /// Starts and returns the reports; the sequence ends after ``finish()``, and throws what ends the session.
    func start() async throws -> AsyncThrowingStream<RecognitionReport, any Error>

    /// Takes audio that continues what was appended before, or leaves a gap, which counts as silence.
    func append(_ chunk: AudioChunk) async throws

    /// Makes the text of the audio before a time final, and reports `finalized` after its phrases.
    func finalize(through seconds: Double, id: Int) async throws

    /// Ends the audio; returns when all phrases are in the sequence.
    func finish() async throws

    /// Ends at once. Must be possible in every state, and more than once.
    func cancel() async
}
