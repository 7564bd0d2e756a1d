public import Foundation
public import Steno

/// Where live audio comes from.
///
///     let transcriber = AudioStreamTranscriber(whisperKit, source: .file(url))
public struct StreamSource: Sendable {
    /// The source as the core knows it.
    let live: LiveSource

    /// Takes a source of Steno, such as an `AudioInput` that an app pushes audio into.
    public init(_ source: LiveSource) { live = source }

    /// The system's microphone.
    public static var microphone: StreamSource { StreamSource(.microphone()) }

    /// The audio on standard input, as it comes.
    public static var standardInput: StreamSource { StreamSource(.standardInput) }

    /// A file of any format that Steno reads.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - realTime: Whether it is read at the speed of the clock, as if it were being recorded; otherwise as fast as the
    ///     text comes, with the same text on every run.
    public static func file(_ url: URL, realTime: Bool = false) -> StreamSource {
        StreamSource(.file(url, realTime: realTime))
    }
}
