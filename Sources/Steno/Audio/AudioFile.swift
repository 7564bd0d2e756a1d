public import Foundation
public import StenoCore

/// The audio of a file or of standard input, in the format of the engine: 16 kHz, mono, from −1 to 1.
///
///     let audio = try AudioFile.open(URL(fileURLWithPath: "talk.mp3"))
///
/// The content decides the format, not the file name. WAV is read natively: PCM of 8 to 32 bits and floating
/// point, any number of channels and any rate. Other formats are decoded by ffmpeg if it is installed, and by
/// AVFoundation on Apple platforms. Memory does not grow with the length of the recording.
///
/// Playlists and manifests (M3U, HLS, DASH, concat, SDP) are refused: an uploaded file must not choose which other
/// files are opened. Opening a named pipe waits for its writer, until the waiting task is cancelled.
///
/// Channels are averaged, other rates are resampled: n samples at rate r become ceil(n · 16000 / r).
public final class AudioFile: SampleSource {
    /// The rate of every source: 16,000 samples per second.
    package static let sampleRate = 16_000

    /// The duration in seconds if it is known in advance: that of a WAV file, not of a pipe.
    public let duration: Double?

    /// Interrupts a blocked read, from any thread.
    package let interruption: Interruption

    private let source: any SampleSource

    init(_ source: any SampleSource, duration: Double?, interruption: Interruption) {
        self.source = source
        self.duration = duration
        self.interruption = interruption
    }

    /// Opens a file.
    ///
    /// - Parameter url: A local file; a named pipe is read like standard input.
    /// - Throws: `StenoError`: `audioNotFound`, `audioDamaged`, or `decoderMissing` when the format needs ffmpeg.
    ///   Errors of ffmpeg are thrown by the first `read`.
    public static func open(_ url: URL) throws -> AudioFile { try open(url, format: nil) }

    /// Opens a file of headerless (raw) PCM in a format; nil detects the format from the content.
    package static func open(_ url: URL, format: PCMFormat?) throws -> AudioFile {
        try AudioOpener(ffmpeg: .installed, format: format).open(url)
    }

    /// Opens the audio on standard input.
    ///
    /// A pipe can be read only once, so `rewind` returns false; a redirected file can be read again.
    ///
    /// - Throws: `StenoError`, as ``open(_:)`` does.
    public static func standardInput() throws -> AudioFile { try standardInput(format: nil) }

    /// Opens headerless (raw) PCM on standard input; nil detects the format from the content.
    package static func standardInput(format: PCMFormat?) throws -> AudioFile {
        let name = "Standard input"
        return try AudioOpener(ffmpeg: .installed, format: format)
            .open(.duplicating(STDIN_FILENO, name: name), name: name, path: nil)
    }

    /// Reads the next samples to the start of `buffer`, blocking until there is at least one; returns 0 at the end.
    ///
    /// - Throws: `StenoError.audioDamaged` when the audio cannot be decoded, `StenoError.cancelled` when the reading
    ///   was interrupted.
    public func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int { try source.read(into: buffer) }

    /// Starts again from the first sample; returns false when the audio can be read only once.
    public func rewind() throws -> Bool { try source.rewind() }
}
