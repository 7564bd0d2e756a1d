/// A report of a backend; reports arrive in order.
package enum RecognitionReport: Sendable, Hashable {
    /// Text.
    case phrase(RecognizedPhrase)
    /// The request to finalize with this number is done.
    case finalized(Int)
}

/// A piece of audio of at most a tenth of a second, and whether it contains speech.
package struct HeardAudio: Sendable, Hashable {
    /// The position of the first sample.
    package let position: Int
    /// The samples: 16 kHz, mono.
    package let samples: [Float]
    /// Whether there was speech within the last second.
    package let isSpeech: Bool
    /// Whether a caller is waiting for the text of the audio up to the end of this piece.
    package var endsRequest = false

    package var end: Int { position + samples.count }
}

/// One of the system's recognisers: audio in, phrases out.
package protocol RecognitionBackend: Sendable {
    /// Starts and returns the reports; the sequence ends after ``finish()``, and throws the error that ends the
    /// session.
    func start() async throws -> AsyncThrowingStream<RecognitionReport, any Error>

    /// Adds audio that continues the previous audio, or leaves a gap, which counts as silence.
    ///
    /// Audio may arrive faster than real time: the call waits while too much is queued.
    func append(_ audio: [HeardAudio]) async throws

    /// Makes the text of the audio before a position final, and reports `finalized` after its phrases.
    func finalize(through position: Int, id: Int) async throws

    /// Discards the audio so far, if possible; the engine drops later reports about it.
    func clear() async

    /// Ends the audio; returns when all phrases are in the sequence.
    func finish() async throws

    /// Ends at once; must work in every state, and more than once.
    func cancel() async
}
