public import Foundation
public import StenoCore

/// The audio of a file or of standard input, as the engine wants it: 16 kHz, mono, from −1 to 1.
///
///     let audio = try AudioFile.open(URL(fileURLWithPath: "talk.mp3"))
///
/// The content decides how it is read, not the file's name. WAV is read natively: PCM of 8 to 32 bits and floating
/// point, any number of channels and any rate. Everything else is decoded by ffmpeg where there are processes and
/// it is installed, and by AVFoundation on Apple platforms. Memory does not grow with the length of the recording.
///
/// Playlists and manifests (M3U, HLS, DASH, concat, SDP) are refused: a file that somebody handed in must not choose
/// which other files are opened. Opening a named pipe waits for its writer, until the task that waits is cancelled.
///
/// Channels are averaged, other rates are resampled: n samples at rate r become ceil(n · 16000 / r).
public final class AudioFile: SampleSource {
    /// The rate of every source: 16,000 samples per second.
    package static let sampleRate = 16_000

    /// The length in seconds, when it is known before the audio is read: that of a WAV file, not of a pipe.
    public let duration: Double?

    /// Ends a read that waits, from any thread.
    package let interruption: Interruption

    private let source: any SampleSource

    init(_ source: any SampleSource, duration: Double?, interruption: Interruption) {
        self.source = source
        self.duration = duration
        self.interruption = interruption
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: A file on this machine; a named pipe is read as standard input is.
    ///   - format: How the samples are written when the file is nothing but samples; nil when the content tells.
    /// - Throws: `StenoError`: `audioNotFound`, `audioDamaged`, or `decoderMissing` when the format needs ffmpeg.
    ///   What ffmpeg finds wrong is thrown by the first `read`.
    public static func open(_ url: URL, format: PCMFormat? = nil) throws -> AudioFile {
        try AudioOpener(ffmpeg: .installed, format: format).open(url)
    }

    /// Opens the audio that is piped into this process.
    ///
    /// A pipe can be read once, so `rewind` returns false; a file that was redirected can be read again.
    ///
    /// - Parameter format: How the samples are written when the pipe carries nothing but samples; nil when the content
    ///   tells.
    /// - Throws: `StenoError`, as `open(_:format:)` does.
    public static func standardInput(format: PCMFormat? = nil) throws -> AudioFile {
        let name = "Standard input"
        return try AudioOpener(ffmpeg: .installed, format: format)
            .open(.duplicating(STDIN_FILENO, name: name), name: name, path: nil)
    }

    /// Reads the next samples into the front of `buffer`, blocking for at least one; 0 is the end.
    ///
    /// - Throws: `StenoError.audioDamaged` when the audio cannot be decoded, `StenoError.cancelled` when the reading
    ///   was interrupted.
    public func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int { try source.read(into: buffer) }

    /// Starts again from the first sample; returns false when the audio can be read only once.
    public func rewind() throws -> Bool { try source.rewind() }
}
