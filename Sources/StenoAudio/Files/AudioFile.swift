public import Foundation
public import StenoCore

/// The audio of a file or of standard input, in the format of the engine: 16 kHz, mono, from −1 to 1.
///
///     let audio = try AudioFile.open(URL(fileURLWithPath: "talk.mp3"))
///
/// The content decides the format, not the file name. WAV is read natively: PCM of 8 to 32 bits and floating
/// point, 1 to 256 channels and 1 to 768 kHz. Other formats are decoded by ffmpeg if it is installed, otherwise by
/// AVFoundation on Apple platforms, and FLAC, MP3, Ogg Vorbis and Opus by libsndfile if the system has it. Memory does
/// not grow with the length of the recording.
///
/// Playlists and manifests (M3U, HLS, DASH, concat, SDP) are refused, because an uploaded file must not choose which
/// other files are opened. Opening a named pipe waits for its writer until the task is cancelled.
///
/// Steno reads the default audio track of the container, or else the first; ``open(_:track:)`` can choose another. MP4
/// from a pipe is first copied to a temporary file if its index is at the end.
///
/// Problems in audio that can still be read are listed in ``warnings`` and ``Transcript/warnings``.
///
/// Channels are averaged, and other rates are resampled: n samples at rate r become ceil(n · 16000 / r).
public final class AudioFile: SampleSource {
    /// The rate of every source: 16,000 samples per second.
    package static let sampleRate = 16_000

    /// The duration in seconds if it is known in advance, as for WAV and FLAC files, but not for pipes.
    ///
    /// ``duration(of:)`` works for every format.
    package let duration: Double?

    /// The format of the samples in the file; known only for WAV and raw PCM.
    package let format: PCMFormat?

    /// Interrupts a blocked read, from any thread.
    package let interruption: Interruption

    private let source: any SampleSource
    /// The number of channels if neither ``format`` nor ffmpeg provides it.
    private let knownChannelCount: Int?

    init(
        _ source: any SampleSource, duration: Double?, format: PCMFormat? = nil, channelCount: Int? = nil,
        interruption: Interruption
    ) {
        (self.source, self.duration, self.format) = (source, duration, format)
        knownChannelCount = channelCount
        self.interruption = interruption
    }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: A local file; a named pipe is read like standard input.
    ///   - track: The audio track, counted from 1; nil for the default one.
    /// - Throws: `StenoError`: `audioNotFound`, `notAudio`, `audioDamaged`, `invalidOption` if there is no such track;
    ///   `decoderMissing` if no decoder for the format is installed. Errors of ffmpeg are thrown by the first `read`.
    public static func open(_ url: URL, track: Int? = nil) throws -> AudioFile {
        try open(url, format: nil, track: track)
    }

    /// Opens a file of headerless (raw) PCM in a format; nil detects the format from the content.
    ///
    /// - Parameter channel: The only channel to read, counted from 0; nil averages all.
    package static func open(
        _ url: URL, format: PCMFormat?, track: Int? = nil, channel: Int? = nil
    ) throws -> AudioFile {
        try AudioOpener(ffmpeg: .installed, soundFiles: .installed, format: format, track: track, channel: channel)
            .open(url)
    }

    /// Opens a file whose name is not UTF-8 and so cannot be a `URL`.
    ///
    /// - Parameters:
    ///   - rawPath: The bytes of its path, ending with a zero.
    ///   - name: The name in messages.
    package static func open(rawPath: [CChar], name: String, track: Int? = nil) throws -> AudioFile {
        let descriptor = retrying { Foundation.open(rawPath, O_RDONLY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw SystemCallError(call: "open").explained("“\(name)” could not be opened") }
        return try AudioOpener(ffmpeg: .installed, soundFiles: .installed, track: track)
            .open(OwnedDescriptor(descriptor), name: "“\(name)”", path: nil)
    }

    /// The duration of a file in seconds, in any format; nil for a named pipe.
    ///
    /// It comes from the header, without decoding. If the header lacks it (MP3 without a Xing header, AAC in ADTS), or
    /// the file is a video, the audio is decoded, about a hundred times faster than real time.
    ///
    /// - Throws: `StenoError`, as ``open(_:track:)`` does; `CancellationError` if the task is cancelled.
    public static func duration(of url: URL) async throws -> Double? {
        try await Worker.run("steno.duration", stack: .shallow) { flag in
            let audio = try CancellationFlag.$current.withValue(flag) { try AudioFile.open(url) }
            flag.interrupt(audio.interruption)
            return try audio.measureDuration()
        }
    }

    /// The number of channels of a file that was opened to read one of them.
    package func channelCount() throws -> Int {
        if let format { return format.channels }
        #if os(Linux) || os(macOS)
            if let ffmpeg = source as? FFmpegSource { return try ffmpeg.channelCount() }
        #endif
        return knownChannelCount ?? 1
    }

    /// The duration in seconds, found by decoding the audio to its end if necessary; nil for a pipe.
    private func measureDuration() throws -> Double? {
        if let duration { return duration }
        #if os(Linux) || os(macOS)
            if let known = try (source as? FFmpegSource)?.headerDuration() { return known }
        #endif
        guard try rewind() else { return nil }
        var count = 0
        return try withUnsafeTemporaryAllocation(of: Float.self, capacity: 1 << 14) { buffer in
            while true {
                let more = try read(into: buffer)
                if more == 0 { return Double(count) / Double(Self.sampleRate) }
                count += more
            }
        }
    }

    /// Opens the audio on standard input.
    ///
    /// A pipe can be read only once, so `rewind` returns false; a redirected file can be read again.
    ///
    /// - Parameter track: The audio track, counted from 1; nil for the default one, or the first one of a pipe.
    /// - Throws: `StenoError`, as ``open(_:track:)`` does.
    public static func standardInput(track: Int? = nil) throws -> AudioFile {
        try standardInput(format: nil, track: track)
    }

    /// Opens standard input as headerless (raw) PCM in a format, or a track of it; nil detects both.
    package static func standardInput(format: PCMFormat?, track: Int? = nil) throws -> AudioFile {
        let name = "Standard input"
        return try AudioOpener(ffmpeg: .installed, soundFiles: .installed, format: format, track: track)
            .open(.duplicating(STDIN_FILENO, name: name), name: name, path: nil)
    }

    /// Reads the next samples into the start of `buffer`, blocking until there is at least one; returns 0 at the end.
    ///
    /// - Throws: `StenoError`: `audioDamaged` if the audio cannot be decoded; `cancelled` if reading was interrupted; the
    ///   errors of ffmpeg, as ``open(_:track:)`` says.
    public func read(into buffer: UnsafeMutableBufferPointer<Float>) throws -> Int { try source.read(into: buffer) }

    /// Problems in audio that can still be read; complete at the end of the audio.
    public var warnings: [TranscriptionWarning] { source.warnings }

    /// Starts again from the first sample; returns false if the audio can be read only once.
    public func rewind() throws -> Bool { try source.rewind() }
}

extension Double {
    /// The longest audio, in seconds: about thirty years, short enough that nothing overflows.
    package static let longestAudio = 1e9

    /// These seconds in samples at ``AudioFile/sampleRate``, rounded; clamped to ±``longestAudio``, and 0 for NaN.
    package var samples: Int {
        guard !isNaN else { return 0 }
        let seconds = Swift.max(-Self.longestAudio, Swift.min(Self.longestAudio, self))
        return Int((seconds * Double(AudioFile.sampleRate)).rounded())
    }
}

extension Int {
    package var seconds: Double { Double(self) / Double(AudioFile.sampleRate) }
}

extension AudioFile {
    /// Opens the bytes of a file of any supported format, such as an upload.
    ///
    /// While it is open, the bytes are in an unlinked temporary file, because decoders need to seek.
    ///
    /// - Throws: `StenoError`, as ``open(_:track:)`` does; messages call the audio “the data”.
    public static func open(data: Data) throws -> AudioFile {
        let ffmpeg = FFmpeg.installed
        // AVFoundation opens the path immediately; ffmpeg uses the descriptor.
        return try SpooledFile.withFile(of: data, name: "The data") { file, path in
            try AudioOpener(ffmpeg: ffmpeg, soundFiles: .installed).open(
                file, name: "The data", path: ffmpeg == nil ? path : nil)
        }
    }

    /// Opens an already open file from its first byte, such as one without a name.
    ///
    /// - Parameters:
    ///   - descriptor: An open, seekable file, which the caller closes.
    ///   - path: Its path, if it has one; AVFoundation needs it.
    ///   - name: The name in messages.
    /// - Throws: `StenoError`, as ``open(_:track:)`` does.
    package static func open(descriptor: Int32, path: String?, name: String) throws -> AudioFile {
        let ffmpeg = FFmpeg.installed
        _ = lseek(descriptor, 0, SEEK_SET)
        return try AudioOpener(ffmpeg: ffmpeg, soundFiles: .installed)
            .open(.duplicating(descriptor, name: name), name: name, path: ffmpeg == nil ? path : nil)
    }
}

extension AudioFile {
    /// Writes samples to a 16-bit WAV file, atomically: readers see either the old file or the complete new one.
    ///
    ///     try AudioFile.write(samples: samples, to: URL(fileURLWithPath: "note.wav"))
    ///
    /// - Parameters:
    ///   - samples: Interleaved samples from −1 to 1; values outside are clipped.
    ///   - url: The file, which is replaced if it exists.
    ///   - sampleRate: Frames per second, 1,000 to 768,000.
    ///   - channels: Samples per frame, 1 to 256.
    /// - Throws: `StenoError`: `invalidOption` if the rate or the number of channels is out of range, or the samples
    ///   are not whole frames of finite numbers; `outputFailed` if the file cannot be written.
    public static func write(
        samples: some Collection<Float>, to url: URL, sampleRate: Int = 16_000, channels: Int = 1
    ) throws {
        try PCMFormat(.int16, sampleRate: sampleRate, channels: channels).checkWholeFrames(samples.count)
        try ensure(
            samples.allSatisfy(\.isFinite), or: .invalidOption,
            "Some samples are not finite numbers. Samples must be from −1 to 1.")
        try ensure(url.isFileURL, or: .outputFailed, "“\(url.absoluteString)” is not a local file. Use a file URL.")
        try AtomicFile.make(url) { path, mode in
            do {
                let writer = try WAVWriter(
                    URL(fileURLWithPath: path), sampleRate: sampleRate, channels: channels, overwriting: false)
                try writer.write(samples)
                try writer.close()
            } catch let error as StenoError {
                // The message names a temporary file, which means nothing to the user.
                throw error.underlying ?? error
            }
            if let mode, chmod(path, mode) != 0 { throw SystemCallError(call: "chmod") }
        }
    }
}
