public import Foundation
import StenoCore

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
