import Foundation
import StenoCore

/// The one place that decides which decoder reads a recording.
struct AudioOpener {
    /// The decoder for formats other than WAV; nil when it is not installed.
    let ffmpeg: FFmpeg?
    /// The sample format of headerless (raw) PCM; nil detects the format from the content.
    let format: PCMFormat?

    init(ffmpeg: FFmpeg?, format: PCMFormat? = nil) {
        self.ffmpeg = ffmpeg
        self.format = format
    }

    /// Opens a file.
    ///
    /// - Parameter interruption: Interrupts a blocked read, for callers that must be able to interrupt the opening too:
    ///   opening a named pipe waits for its writer.
    func open(_ url: URL, interruption: Interruption? = nil) throws -> AudioFile {
        guard url.isFileURL || url.scheme == nil else {
            throw StenoError(
                .invalidOption,
                "The URL \(url.absoluteString) is no file on this machine. Download the audio first, and pass the file or "
                    + "its data.")
        }
        let name = "“\(url.relativePath)”"
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw StenoError(.audioNotFound, "There is no file \(name). \(Self.advice(url.path))")
        }
        guard !isFolder.boolValue else {
            throw StenoError(.audioNotFound, "\(name) is a folder. Name the audio files in it.")
        }
        return try open(
            .openForReading(url.path, name: name), name: name, path: url.path, interruption: interruption)
    }

    /// The advice for a path that does not exist.
    ///
    /// Swift strings cannot hold bytes that are not UTF-8: they arrive as U+FFFD, which makes it a different path.
    private static func advice(_ path: String) -> String {
        path.contains("\u{FFFD}")
            ? "If its name is not UTF-8, rename it or give it as standard input." : "Check the path."
    }

    /// Opens a descriptor.
    ///
    /// - Parameters:
    ///   - path: Where the file is, for a decoder that wants to open it itself; nil for standard input.
    ///   - interruption: Interrupts a blocked read, for callers that must be able to interrupt the opening too.
    func open(
        _ descriptor: OwnedDescriptor, name: String, path: String?, interruption: Interruption? = nil
    ) throws -> AudioFile {
        let bytes = ByteReader(
            descriptor, name: name, interruption: try interruption ?? .untilCancelled(), isNamed: path != nil)
        if let format { return pcm(bytes, WAVHeader(format: format, byteCount: nil)) }
        let head = try bytes.read(upTo: WAVHeader.magicLength)
        guard !head.isEmpty else { throw StenoError(.audioDamaged, "\(name) is empty: there is no audio in it.") }
        if let kind = Playlist.kind(of: head) { throw StenoError(.audioDamaged, Playlist.refusal(name, kind)) }
        guard WAVHeader.isWAV(head) else { return try decoded(bytes, path: path, what: "\(name) is not a WAV file") }
        do {
            return pcm(bytes, try WAVHeader(after: head, from: bytes))
        } catch let codec as UnsupportedWAVCodec {
            return try decoded(bytes, path: path, what: "\(name) is a WAV file with samples in \(codec.name)")
        }
    }

    private func pcm(_ bytes: ByteReader, _ header: WAVHeader) -> AudioFile {
        let stream = PCMStream(bytes, format: header.format, byteCount: header.byteCount)
        return AudioFile(ResamplingSource(stream), duration: stream.duration, interruption: bytes.interruption)
    }

    /// Passes the audio to a decoder for other formats.
    private func decoded(_ bytes: ByteReader, path: String?, what: String) throws -> AudioFile {
        #if os(Linux) || os(macOS)
            if let ffmpeg {
                let source = FFmpegSource(ffmpeg, try FFmpegInput(bytes, path: path, what: what))
                return AudioFile(source, duration: nil, interruption: bytes.interruption)
            }
        #endif
        #if canImport(AVFoundation)
            if let path, bytes.isSeekable {
                let source = try AVAudioFileSource(path: path, name: bytes.name)
                return AudioFile(
                    ResamplingSource(source), duration: source.duration, interruption: bytes.interruption)
            }
        #endif
        throw StenoError(.decoderMissing, "\(what), and \(FFmpeg.missing)")
    }
}
