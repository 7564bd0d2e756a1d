import Foundation
import StenoCore

/// The one place that decides which decoder reads a recording.
struct AudioOpener {
    /// The decoder for formats other than WAV; nil when it is not installed.
    let ffmpeg: FFmpeg?
    /// The decoder that is used if ffmpeg is not installed; nil when it is not either, or may not be used.
    var soundFiles: SoundFileLibrary?
    /// The sample format of headerless (raw) PCM; nil detects the format from the content.
    var format: PCMFormat?
    /// The audio track to read, counted from 1; nil is the one that the container marks as the default.
    var track: Int?
    /// The only channel to read, counted from 0; nil averages all.
    var channel: Int?

    /// - Parameter interruption: Interrupts a blocked read. Pass one to interrupt opening too: opening a named pipe
    ///   waits for its writer.
    func open(_ url: URL, interruption: Interruption? = nil) throws -> AudioFile {
        try ensure(
            url.isFileURL, or: .audioNotFound,
            "“\(url.absoluteString)” is not a file. Download it first and pass the local file.")
        let name = "“\(url.relativePath)”"
        var isFolder: ObjCBool = false
        try ensure(
            FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), or: .audioNotFound,
            "There is no file \(name). \(Self.advice(url.relativePath))")
        try ensure(!isFolder.boolValue, or: .audioNotFound, "\(name) is a folder. Name the audio files in it.")
        return try open(.openForReading(url.path, name: name), name: name, path: url.path, interruption: interruption)
    }

    /// The advice for a path that does not exist.
    ///
    /// Swift strings cannot hold bytes that are not UTF-8: they arrive as U+FFFD, which is a different path.
    private static func advice(_ path: String) -> String {
        if path.contains("\u{FFFD}") { return "If its name is not UTF-8, rename it or give it as standard input." }
        // A path that begins like a URL has lost one of its slashes.
        let isURL = ["http:/", "https:/", "ftp:/", "rtsp:/", "s3:/"].contains(where: path.hasPrefix)
        return isURL ? "Addresses are not opened: download it first, and name the local file." : "Check the path."
    }

    /// - Parameter path: The path, for a decoder that opens the file itself; nil for standard input.
    func open(
        _ descriptor: OwnedDescriptor, name: String, path: String?, interruption: Interruption? = nil
    ) throws -> AudioFile {
        let bytes = ByteReader(
            descriptor, name: name, interruption: try interruption ?? .untilCancelled(), isNamed: path != nil)
        try ensure(
            track.map({ $0 >= 1 }) ?? true, or: .invalidOption, "Audio tracks are counted from 1. Use 1 for the first.")
        if let format { return try pcm(bytes, WAVHeader(format: format, byteCount: nil)) }
        let head = try bytes.read(upTo: WAVHeader.magicLength)
        try ensure(!head.isEmpty, or: .notAudio, "\(name) is empty. Choose a file with audio.")
        guard WAVHeader.isWAV(head) else { return try other(bytes, head, path: path) }
        do {
            return try pcm(bytes, try WAVHeader(after: head, from: bytes))
        } catch let codec as UnsupportedWAVCodec {
            return try decoded(
                bytes, ContentHead(head), path: path, what: "\(name) is a WAV file with samples in \(codec.name)")
        }
    }

    /// Opens a file that is not WAV.
    private func other(_ bytes: ByteReader, _ start: [UInt8], path: String?) throws -> AudioFile {
        let name = bytes.name
        let first = try start + bytes.read(upTo: ContentHead.length - start.count)
        var head = ContentHead(first)
        if let kind = head.otherKind {
            throw StenoError(.notAudio, "\(name) is \(kind), not a recording. Name an audio or video file.")
        }
        if let kind = Playlist.kind(of: start) { throw Playlist.refusal(name, kind) }
        head.isCutOff = head.isOgg && OggPages.isCutOff(bytes)
        guard head.isMP4, try MP4Boxes.needSeeking(bytes, first) else {
            return try decoded(bytes, head, path: path, what: "\(name) is not a WAV file")
        }
        let file = try SpooledFile.make(of: bytes)
        return try decoded(file, head, path: nil, what: "\(name) is not a WAV file")
    }

    private func pcm(_ bytes: ByteReader, _ header: WAVHeader) throws -> AudioFile {
        try ensure(
            (track ?? 1) == 1, or: .invalidOption,
            "\(bytes.name) has no audio track \(track ?? 1): a WAV file has only one.")
        if let channel { try header.format.checkChannel(channel, of: bytes.name) }
        let stream = PCMStream(
            bytes, format: header.format, byteCount: header.byteCount, isBigEndian: header.isBigEndian, channel: channel
        )
        return AudioFile(
            ResamplingSource(stream), duration: stream.duration, format: header.format,
            interruption: bytes.interruption)
    }

    /// Passes the audio to a decoder for other formats.
    private func decoded(_ bytes: ByteReader, _ head: ContentHead, path: String?, what: String) throws -> AudioFile {
        #if os(Linux) || os(macOS)
            if let ffmpeg {
                let input = try FFmpegInput(bytes, path: path, what: what)
                let source = FFmpegSource(ffmpeg, input, head: head, track: track, channel: channel)
                return AudioFile(
                    source, duration: bytes.isSeekable ? head.flacDuration : nil, interruption: bytes.interruption)
            }
        #endif
        #if canImport(AVFoundation)
            if let path, bytes.isSeekable {
                let source = try AVAudioFileSource(path: path, name: bytes.name, channel: channel)
                if let channel { try PCMFormat.checkChannel(channel, of: bytes.name, count: source.channelCount) }
                return AudioFile(
                    ResamplingSource(source), duration: source.duration, channelCount: source.channelCount,
                    interruption: bytes.interruption)
            }
        #endif
        if let soundFiles, !head.mayHoldTracks, (track ?? 1) == 1 {
            let file = try bytes.isSeekable ? bytes : SpooledFile.make(of: bytes)
            if let source = try SoundFileSource(soundFiles, file, head: head, channel: channel) {
                return AudioFile(
                    ResamplingSource(source), duration: source.duration, channelCount: source.channelCount,
                    interruption: bytes.interruption)
            }
        }
        throw StenoError(.decoderMissing, "\(what), and \(FFmpeg.missing)")
    }
}

/// Recognises files that only refer to other files: playlists, manifests, session descriptions.
///
/// They are refused, because an uploaded one could choose which files of this machine are opened and transcribed.
/// ``FFmpeg`` refuses them again, by the format it detects.
enum Playlist {
    /// Their first characters in lower case; `AudioOpener` sees the first twelve bytes.
    private static let beginnings = [
        ("#extm3u", "an M3U or HLS playlist"), ("ffconcat", "a list of files for ffmpeg"),
        ("[playlist]", "a PLS playlist"), ("<asx", "an ASX playlist"), ("<smil", "a SMIL playlist"),
        ("<?xml", "an XML file, such as a DASH manifest"), ("<mpd", "a DASH manifest"),
        ("v=0\n", "a session description (SDP)"), ("v=0\r", "a session description (SDP)"),
    ]

    /// The type of a file that begins with these bytes, worded to follow "is"; nil if it is not a playlist.
    static func kind(of head: [UInt8]) -> String? {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = String(decoding: head.starts(with: mark) ? head.dropFirst(mark.count) : head[...], as: UTF8.self)
        return beginnings.first { text.lowercased().hasPrefix($0.0) }?.1
    }

    /// ffmpeg's names for formats that open other files or the network.
    private static let formats: Set = [
        "hls", "applehttp", "dash", "concat", "sdp", "rtsp", "rtp", "sap", "imf", "webm_dash_manifest", "image2",
    ]

    /// The error for a format that ffmpeg detected but may not read.
    static func refusal(_ name: String, format: String) -> StenoError {
        formats.contains(format)
            ? refusal(name, "a list of other files (\(format))")
            : StenoError(
                .notAudio,
                "\(name) has the format “\(format)”, which is not an audio or video format. Convert it to WAV.")
    }

    static func refusal(_ name: String, _ kind: String) -> StenoError {
        StenoError(
            .notAudio,
            "\(name) is \(kind), not a recording. Name the recording itself: Steno does not open files that another "
                + "file refers to.")
    }
}
