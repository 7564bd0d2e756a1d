/// What the user should know about a recording that was transcribed nevertheless: it is cut off, or has no speech, or the
/// work was interrupted.
public struct TranscriptionWarning: Sendable, Hashable, Codable {
    /// The kind of warning: `audioTruncated`, `audioDamaged`, `audioEmpty`, `noSpeech` or, of a partial transcript,
    /// `cancelled`; kinds may be added.
    public var code: StenoError.Code
    /// One or two sentences for the user.
    public var message: String

    /// Creates a warning, for the audio of a ``SampleSource`` of your own.
    public init(_ code: StenoError.Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
