/// Reads consecutive little-endian values of a file that is not trusted.
package struct LittleEndianReader {
    private let file: ModelFile
    private let path: String
    /// The part of the file that was read last, from `blockStart` on.
    private var block: [UInt8] = []
    private var blockStart = 0
    /// The position of the next value.
    package private(set) var position = 0

    /// Between the tables of models are values, which are skipped; so reading far ahead would be in vain.
    private static let blockSize = 4096

    package init(_ file: ModelFile, path: String) { (self.file, self.path) = (file, path) }

    package var remaining: Int { file.byteCount - position }

    package mutating func next<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) throws -> T {
        try bytes(MemoryLayout<T>.size).withUnsafeBytes { T(littleEndian: $0.loadUnaligned(as: T.self)) }
    }

    package mutating func text(_ count: Int) throws -> String { String(decoding: try bytes(count), as: UTF8.self) }

    package mutating func bytes(_ count: Int) throws -> ArraySlice<UInt8> {
        let range = try skip(count)
        if range.lowerBound < blockStart || range.upperBound > blockStart + block.count {
            let end = max(range.upperBound, min(range.lowerBound + Self.blockSize, file.byteCount))
            block = try file.bytes(range.lowerBound..<end)
            blockStart = range.lowerBound
        }
        return block[range.lowerBound - blockStart..<range.upperBound - blockStart]
    }

    /// Skips `count` bytes and returns their range.
    package mutating func skip(_ count: Int) throws -> Range<Int> {
        guard count >= 0, count <= remaining else { throw damaged("it ends too early, at byte \(file.byteCount)") }
        defer { position += count }
        return position..<position + count
    }

    /// An error that names the file and the position.
    package func damaged(_ problem: String) -> StenoError {
        StenoError(
            .modelDamaged, "\(path) is damaged: \(problem) (read to byte \(position)). Download the model again.")
    }
}
