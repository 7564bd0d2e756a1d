/// How well a text compresses, which reveals a decoder that repeats itself.
package enum CompressionRatio {
    /// The text's UTF-8 length over its length when compressed by zlib at level 6, as by Python's `zlib.compress`.
    static func of(_ text: String) -> Double { of(Array(text.utf8)) }

    /// The number of bytes over their number when compressed by zlib at level 6.
    package static func of(_ bytes: [UInt8]) -> Double { Double(bytes.count) / Double(ZlibLength.of(bytes)) }
}
