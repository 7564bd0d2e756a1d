internal import Foundation

extension MappedFile {
    /// The content of a file that gzip compressed, in a file without a name, which takes no memory and leaves nothing
    /// behind.
    ///
    /// It is next to the compressed one, whose disk has the space for models, or if that folder is read-only, in the
    /// system's temporary folder, which may be in memory.
    ///
    /// - Parameters:
    ///   - path: The path of the compressed file.
    ///   - checkCancellation: Called for every megabyte; an error that it throws ends the reading.
    /// - Throws: The errors of ``GzipReader``; `outputFailed` if the disk is full.
    static func decompressed(
        _ file: MappedFile, path: String, checkCancellation: () throws -> Void
    ) throws -> MappedFile {
        let reader = try GzipReader(file, path: path)
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        do {
            let writer = try FileWriter(
                unnamedIn: [
                    URL(fileURLWithPath: path).deletingLastPathComponent().path,
                    FileManager.default.temporaryDirectory.path,
                ])
            while case let count = try piece.withUnsafeMutableBytes({ try reader.read(into: $0) }), count > 0 {
                try checkCancellation()
                // The weights of a model hardly shrink; this would be a file that was made to fill the disk.
                guard writer.byteCount < max(smallestLimit, largestRatio * file.bytes.count) else {
                    throw reader.damaged("its content is more than \(largestRatio) times as large")
                }
                try piece.withUnsafeBytes { try writer.write(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
            }
            guard writer.byteCount > 0 else { throw reader.damaged("it has no content") }
            return try writer.mapped()
        } catch let error as StenoError where error.code == .outputFailed {
            throw StenoError(
                .outputFailed,
                "\(path) is compressed, and a temporary file for its content cannot be written. \(error.message) Or "
                    + "\(GzipReader.advice(path)).", underlying: error)
        }
    }

    private static let smallestLimit = 64 << 20
    private static let largestRatio = 100
}
