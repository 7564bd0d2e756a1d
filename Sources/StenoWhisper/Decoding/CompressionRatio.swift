internal import CStenoZlib
import StenoCore

/// How well a text compresses, which reveals a decoder that repeats itself.
enum CompressionRatio {
    /// The text's UTF-8 length over its length compressed by zlib at level 6, as Python's `zlib.compress` has it.
    static func of(_ text: String) -> Double {
        let bytes = Array(text.utf8)
        var length = compressBound(uLong(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(length))
        let status = compress2(&compressed, &length, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
        guard status == Z_OK, length > 0 else { return 0 }
        return Double(bytes.count) / Double(length)
    }
}
