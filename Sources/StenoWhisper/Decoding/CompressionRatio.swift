internal import CStenoZlib
import StenoCore

/// How well a text compresses, which reveals a decoder that repeats itself.
package enum CompressionRatio {
    /// The text's UTF-8 length over its length compressed by zlib at level 6, as Python's `zlib.compress` has it.
    static func of(_ text: String) -> Double { of(Array(text.utf8)) }

    /// The number of bytes over their number once compressed by zlib at level 6.
    package static func of(_ bytes: [UInt8]) -> Double {
        var length = compressBound(uLong(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(length))
        let status = compress2(&compressed, &length, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
        guard status == Z_OK, length > 0 else { return 0 }
        return Double(bytes.count) / Double(length)
    }
}
