public import Foundation
import StenoCore

/// Where live audio comes from.
///
///     let session = try await transcriber.live(.microphone())
public struct LiveSource: Sendable {
    /// The source that is started.
    package let source: any AudioSource
    /// Whether the audio arrives in real time rather than as fast as it is read.
    package let isRealTime: Bool

    package init(_ source: any AudioSource, isRealTime: Bool = true) {
        self.source = source
        self.isRealTime = isRealTime
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
