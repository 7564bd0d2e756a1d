public import Foundation
import StenoCore

/// Where live audio comes from.
///
///     let session = try await transcriber.live(.microphone())
public struct LiveSource: Sendable {
    package let source: any AudioSource
    /// Whether the audio arrives in real time rather than as fast as it is read.
    package let isRealTime: Bool

    package init(_ source: any AudioSource, isRealTime: Bool = true) {
        (self.source, self.isRealTime) = (source, isRealTime)
    }

    /// A microphone; nil for the system's default (``CaptureDevice/all()`` lists them).
    public static func microphone(_ device: CaptureDevice? = nil) -> LiveSource {
        LiveSource(MicrophoneSource(device: device?.id))
    }

    /// A file of any format that ``AudioFile`` reads.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - realTime: Whether to read it in real time, as if it were being recorded; otherwise as fast as decoding
    ///     allows, with the same text on every run.
    public static func file(_ url: URL, realTime: Bool = false) -> LiveSource {
        LiveSource(FileSource(url, pace: realTime ? .realTime : .unlimited), isRealTime: realTime)
    }

    /// The audio on standard input, as it arrives.
    public static var standardInput: LiveSource { LiveSource(StandardInputSource()) }

    /// Audio that the app pushes.
    public static func input(_ input: AudioInput) -> LiveSource { LiveSource(input) }
}

/// A source of live audio: a microphone, a pipe, a file read in real time.
///
///     let source: any AudioSource = MicrophoneSource()
///     let stream = try await source.start()
///     for try await chunk in stream { try await engine.append(chunk.samples) }
///
/// A source only describes where the audio comes from. Each call of `start` begins a new capture, which is stopped
/// through the returned stream.
package protocol AudioSource: Sendable {
    var name: String { get }

    /// Starts capturing.
    ///
    /// - Throws: `StenoError`: `captureUnavailable` if there is no such device or no way to read it, `permissionDenied`
    ///   when the user or the system does not allow it. Later errors are thrown by the stream.
    func start() async throws -> AudioStream
}
