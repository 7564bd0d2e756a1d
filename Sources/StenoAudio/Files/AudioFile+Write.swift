public import Foundation
import StenoCore

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
        guard samples.allSatisfy(\.isFinite) else {
            throw StenoError(.invalidOption, "Some samples are not finite numbers. Samples must be from −1 to 1.")
        }
        guard url.isFileURL else {
            throw StenoError(.outputFailed, "“\(url.absoluteString)” is not a local file. Use a file URL.")
        }
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
