package import StenoCore

extension Vocabulary {
    /// Reads the list of tokens in a GGML file: i32 count, then for each token u32 length and its bytes.
    ///
    /// - Throws: `modelDamaged`, also for more than `limit` tokens.
    package init(ggml reader: inout LittleEndianReader, limit: Int) throws {
        let count = Int(try reader.next(Int32.self))
        guard (0...max(limit, 0)).contains(count) else {
            throw reader.damaged("it lists \(count) tokens, and its header says \(limit)")
        }
        var builder = Builder()
        for _ in 0..<count {
            let length = Int(try reader.next(UInt32.self))
            guard length <= WeightLimits.tokenBytes else { throw reader.damaged("a token has \(length) bytes") }
            builder.append(try reader.bytes(length))
        }
        self = builder.finish()
    }
}
