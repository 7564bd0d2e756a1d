/// Reads little-endian values one after the other from bytes that may lie about their own length.
package struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private let file: String
    /// Where the next value begins.
    private(set) var position = 0

    /// Reads `bytes`, which came from `file`.
    package init(_ bytes: UnsafeRawBufferPointer, file: String) {
        self.bytes = bytes
        self.file = file
    }

    /// The bytes that are left.
    package var remaining: Int { bytes.count - position }

    /// The next value of a fixed-width integer type.
    package mutating func next<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type) throws -> T {
        let range = try skip(MemoryLayout<T>.size)
        return T(littleEndian: bytes.loadUnaligned(fromByteOffset: range.lowerBound, as: T.self))
    }

    /// The next string: a 16-bit length that counts the NUL at its end.
    package mutating func nextString() throws -> String {
        let length = Int(try next(UInt16.self))
        guard length > 0 else { throw damaged("a name has no length") }
        let range = try skip(length)
        return String(decoding: bytes[range].dropLast(), as: UTF8.self)
    }

    /// Steps over `count` bytes and returns where they are.
    package mutating func skip(_ count: Int) throws -> Range<Int> {
        guard count >= 0, count <= remaining else { throw damaged("it ends too early, at byte \(bytes.count)") }
        defer { position += count }
        return position..<position + count
    }

    /// An error that names the file and the place.
    package func damaged(_ what: String) -> StenoError {
        StenoError(.modelDamaged, "\(file) is damaged: \(what) (read to byte \(position)). Fetch the model again.")
    }
}
