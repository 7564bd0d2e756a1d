/// Reads consecutive little-endian values from untrusted memory.
package struct LittleEndianReader {
    private let bytes: UnsafeRawBufferPointer
    private let file: String
    /// The position of the next value.
    package private(set) var position = 0

    package init(_ bytes: UnsafeRawBufferPointer, file: String) {
        self.bytes = bytes
        self.file = file
    }

    /// The number of bytes left.
    package var remaining: Int { bytes.count - position }

    package mutating func next<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) throws -> T {
        let range = try skip(MemoryLayout<T>.size)
        return T(littleEndian: bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: T.self))
    }

    package mutating func text(_ count: Int) throws -> String {
        String(decoding: bytes[try skip(count)], as: UTF8.self)
    }

    /// Skips `count` bytes and returns their range.
    package mutating func skip(_ count: Int) throws -> Range<Int> {
        guard count >= 0, count <= remaining else { throw damaged("it ends too early, at byte \(bytes.count)") }
        defer { position += count }
        return position..<position + count
    }

    /// An error that names the file and the position.
    package func damaged(_ problem: String) -> StenoError {
        StenoError(
            .modelDamaged, "\(file) is damaged: \(problem) (read to byte \(position)). Download the model again.")
    }
}
