public import Foundation
import StenoCore

extension AudioFile {
    /// Opens the bytes of a file of any supported format, such as an upload.
    ///
    /// While it is open, the bytes are in a file without a name, since decoders need one they can seek in.
    ///
    /// - Throws: `StenoError`, as ``open(_:track:)`` does; messages call the audio “the data”.
    public static func open(data: Data) throws -> AudioFile {
        let name = "The data"
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("steno.XXXXXX").path
        var template = Array(path.utf8CString)
        let descriptor = template.withUnsafeMutableBufferPointer { $0.baseAddress.map { mkstemp($0) } ?? -1 }
        guard descriptor >= 0 else {
            let error = SystemCallError(call: "mkstemp")
            throw StenoError(.outputFailed, "\(name) could not be stored for decoding: \(error).", underlying: error)
        }
        let file = OwnedDescriptor(descriptor)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let url = URL(
            fileURLWithPath: String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
        // Whoever has opened it keeps it; no name remains when this returns.
        defer { unlink(url.path) }
        try write(data, to: file, name: name)
        let ffmpeg = FFmpeg.installed
        // AVFoundation opens a file by its path, at once; ffmpeg opens the descriptor.
        return try AudioOpener(ffmpeg: ffmpeg).open(file, name: name, path: ffmpeg == nil ? url.path : nil)
    }

    private static func write(_ data: Data, to file: OwnedDescriptor, name: String) throws {
        try data.withUnsafeBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = retrying {
                    pwrite(
                        file.rawValue, bytes.baseAddress?.advanced(by: written), bytes.count - written, off_t(written))
                }
                guard count > 0 else {
                    let error = SystemCallError(call: "pwrite")
                    throw StenoError(
                        .outputFailed, "\(name) could not be stored for decoding: \(error).", underlying: error)
                }
                written += count
            }
        }
    }
}
