package import Foundation
import StenoCore

/// Completes the header of a recording whose program was killed.
package enum WAVRepair {
    /// Completes the header of a file that ``WAVWriter`` began (`updatingEvery`).
    ///
    /// It writes the actual size of the samples and cuts off an incomplete sample at the end. Complete files, and files
    /// by other programs, are left unchanged.
    ///
    /// - Returns: Whether the file was changed.
    /// - Throws: `StenoError`: `audioNotFound`, `outputFailed`.
    @discardableResult
    package static func repair(_ url: URL) throws -> Bool {
        guard let file = OwnedDescriptor.open(url.path, O_RDWR) else {
            throw SystemCallError(call: "open").explained("“\(url.relativePath)” could not be opened")
        }
        defer { file.close() }
        let descriptor = file.rawValue
        let header = WAVWriterHeader(
            encoding: .int16, sampleRate: AudioFile.sampleRate, channels: 1, canGrow: true,
            limit: WAVWriter.largestSize)
        let empty = header.bytes(dataSize: nil)
        var found = [UInt8](repeating: 0, count: empty.count)
        var status = stat()
        guard fstat(descriptor, &status) == 0,
            retrying({ pread(descriptor, &found, found.count, 0) }) == found.count,
            isOurs(found, empty)
        else { return false }
        let size = (Int(status.st_size) - empty.count) / header.bytesPerFrame * header.bytesPerFrame
        let complete = header.bytes(dataSize: size)
        guard found != complete || Int(status.st_size) != empty.count + size else { return false }
        guard retrying({ pwrite(descriptor, complete, complete.count, 0) }) == complete.count,
            ftruncate(descriptor, off_t(empty.count + size)) == 0
        else {
            let error = SystemCallError(call: "pwrite")
            throw StenoError(.outputFailed, "“\(url.relativePath)” cannot be repaired: \(error).", underlying: error)
        }
        return true
    }

    /// Whether the headers differ only in the sizes of the file, of the chunk "JUNK" or "ds64", and of "data".
    private static func isOurs(_ found: [UInt8], _ empty: [UInt8]) -> Bool {
        let format = 48..<(empty.count - 4)
        return ["RIFF", "RF64"].contains(WAVHeader.text(found[0..<4])) && found[8..<12] == empty[8..<12]
            && ["JUNK", "ds64"].contains(WAVHeader.text(found[12..<16])) && found[16..<20] == empty[16..<20]
            && found[format] == empty[format]
    }
}
