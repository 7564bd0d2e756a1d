/// A warning about a transcribed recording: it is incomplete, it has no speech, or the work was interrupted.
public struct TranscriptionWarning: Sendable, Hashable, Codable {
    /// The kind of warning: `audioTruncated`, `audioDamaged`, `audioEmpty`, `noSpeech` or, for a partial transcript,
    /// `cancelled`; later versions may add kinds.
    public var code: StenoError.Code
    /// One or two sentences for the user.
    public var message: String

    /// Creates a warning, for your own ``SampleSource``.
    public init(_ code: StenoError.Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
