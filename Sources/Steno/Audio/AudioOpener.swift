import Foundation
import StenoCore

/// The one place that decides which decoder reads a recording.
struct AudioOpener {
    /// The decoder for what is not WAV; nil when it is not installed.
    let ffmpeg: FFmpeg?
    /// How bare samples are written; nil when the content tells what it is.
    let format: PCMFormat?

    init(ffmpeg: FFmpeg?, format: PCMFormat? = nil) {
        self.ffmpeg = ffmpeg
        self.format = format
    }

    /// Opens a file.
    ///
    /// - Parameter interruption: What ends a read that waits, for who has to end the opening too: a named pipe has no
    ///   bytes before somebody writes.
    func open(_ url: URL, interruption: Interruption? = nil) throws -> AudioFile {
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

    /// What may be wrong with a path that names nothing.
    ///
    /// Swift's strings hold no bytes that are not UTF-8: they arrive as U+FFFD, and the path is another one.
    private static func advice(_ path: String) -> String {
        path.contains("\u{FFFD}")
            ? "If its name is not UTF-8, rename it or give it as standard input." : "Check the path."
    }

    /// Opens what a descriptor reads.
    ///
    /// - Parameters:
    ///   - path: Where the file is, for a decoder that wants to open it itself; nil for standard input.
    ///   - interruption: What ends a read that waits, for who has to end the opening too.
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

    /// Hands the audio to a decoder for other formats.
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
