extension Vocabulary {
    /// Reads the list of tokens in a GGML file: i32 count, then for each token u32 length and its bytes.
    ///
    /// - Throws: `modelDamaged`.
    package init(ggml reader: inout LittleEndianReader, of file: MappedFile) throws {
        let count = Int(try reader.next(Int32.self))
        // Every token has at least its length.
        guard count >= 0, count <= reader.remaining / 4 else { throw reader.damaged("it claims \(count) tokens") }
        var builder = Builder()
        for _ in 0..<count {
            let length = Int(try reader.next(UInt32.self))
            builder.append(file.bytes[try reader.skip(length)])
        }
        self = builder.finish()
    }
}
