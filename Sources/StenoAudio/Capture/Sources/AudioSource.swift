/// A source of live audio: a microphone, a pipe, a file read in real time.
///
///     let source: any AudioSource = MicrophoneSource()
///     let stream = try await source.start()
///     for try await chunk in stream { try await engine.append(chunk.samples) }
///
/// A source only describes where the audio comes from. Each call of `start` begins a new capture, which is stopped
/// through the returned stream.
package protocol AudioSource: Sendable {
    /// The name in messages.
    var name: String { get }

    /// Starts capturing.
    ///
    /// - Throws: `StenoError`: `captureUnavailable` if there is no such device or no way to read it, `permissionDenied`
    ///   when the user or the system does not allow it. Later errors are thrown by the stream.
    func start() async throws -> AudioStream
}
