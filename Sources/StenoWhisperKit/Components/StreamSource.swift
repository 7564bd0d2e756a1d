public import Foundation
public import Steno

/// The source of live audio.
///
///     let transcriber = AudioStreamTranscriber(whisperKit, source: .file(url))
public struct StreamSource: Sendable {
    let live: LiveSource

    /// Wraps a source of Steno, such as an `AudioInput` that your app pushes audio into.
    public init(_ source: LiveSource) { live = source }

    /// The system's microphone.
    public static var microphone: StreamSource { StreamSource(.microphone()) }

    /// The audio on standard input, as it arrives.
    public static var standardInput: StreamSource { StreamSource(.standardInput) }

    /// A file of any format that Steno reads.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - realTime: Whether to read it in real time, as if it were being recorded; otherwise as fast as decoding
    ///     allows, with the same text on every run.
    public static func file(_ url: URL, realTime: Bool = false) -> StreamSource {
        StreamSource(.file(url, realTime: realTime))
    }
}
