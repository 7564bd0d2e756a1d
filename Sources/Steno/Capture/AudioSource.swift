/// Audio that comes while it happens: a microphone, a pipe, a file at the pace of speech.
///
///     let source: any AudioSource = MicrophoneSource()
///     let stream = try await source.start()
///     for try await chunk in stream { try await engine.append(chunk.samples) }
///
/// A source only describes where the audio comes from. Each `start` begins anew, and the stream it returns is what can
/// be stopped.
public protocol AudioSource: Sendable {
    /// What people call it, for messages.
    var name: String { get }

    /// Begins to take in sound.
    ///
    /// - Throws: `StenoError`: `captureUnavailable` when there is no such device or no way to read it,
    ///   `permissionDenied` when the user or the system does not allow it. What goes wrong later is thrown by the
    ///   stream.
    func start() async throws -> AudioStream
}
