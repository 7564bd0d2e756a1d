package import Steno

/// A recogniser of the system: audio in, phrases out.
package protocol RecognitionBackend: Sendable {
    /// Starts and returns the phrases; the sequence ends after ``finish()``, and throws what ends the session.
    func start() async throws -> AsyncThrowingStream<RecognizedPhrase, any Error>

    /// Takes audio that continues what was appended before, or leaves a gap, which counts as silence.
    func append(_ chunk: AudioChunk) async throws

    /// Makes the text of the audio before a time final; its phrases may come a little later.
    func finalize(through seconds: Double) async throws

    /// Ends the audio; returns when all phrases are in the sequence.
    func finish() async throws

    /// Ends at once. Must be possible in every state, and more than once.
    func cancel() async
}
