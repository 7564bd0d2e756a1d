import StenoWhisper

/// Compression ratios, which reveal a decoder that repeats itself.
public enum TextUtilities {
    /// The ratio of the size of the tokens (four bytes each) to their size compressed by zlib at level 6; infinity if
    /// there are none.
    public static func compressionRatio(of textTokens: [Int]) -> Float {
        ratio(
            textTokens.flatMap { token in withUnsafeBytes(of: Int32(truncatingIfNeeded: token).littleEndian, Array.init)
            })
    }

    /// The ratio of the size of the text in UTF-8 to its size compressed by zlib at level 6; infinity if it is empty.
    public static func compressionRatio(of text: String) -> Float { ratio(Array(text.utf8)) }

    private static func ratio(_ bytes: [UInt8]) -> Float {
        bytes.isEmpty ? .infinity : Float(CompressionRatio.of(bytes))
    }
}
