/// GPT-2's byte-level encoding: bytes as printable characters, so that every token in a vocabulary file is text.
///
/// Printable bytes of Latin-1 represent themselves, the others are U+0100 and up, in order (Radford et al. 2019).
package enum ByteLevel {
    /// The byte of each character below U+0144, or `noByte`.
    static let byteOfCharacter: [UInt16] = {
        var table = [UInt16](repeating: noByte, count: 0x100 + 68)
        var next = 0x100
        for byte in UInt16(0)...255 {
            switch byte {
            case 0x21...0x7E, 0xA1...0xAC, 0xAE...0xFF:
                table[Int(byte)] = byte
            default:
                table[next] = byte
                next += 1
            }
        }
        return table
    }()

    static let noByte = UInt16.max

    /// Appends the bytes that a token represents, given as UTF-8.
    ///
    /// A token with any character outside the encoding is appended unchanged, as Hugging Face's decoder does, since
    /// added tokens are plain text.
    static func append(_ token: some Collection<UInt8>, to bytes: inout [UInt8]) {
        let start = bytes.count
        let table = byteOfCharacter
        var index = token.startIndex
        while index < token.endIndex {
            var character = Int(token[index])
            token.formIndex(after: &index)
            if character >= 0x80 {
                guard character & 0xE0 == 0xC0, index < token.endIndex, token[index] & 0xC0 == 0x80 else { break }
                character = (character & 0x1F) << 6 | Int(token[index] & 0x3F)
                token.formIndex(after: &index)
            }
            guard character < table.count, table[character] != noByte else { break }
            bytes.append(UInt8(truncatingIfNeeded: table[character]))
            if index == token.endIndex { return }
        }
        bytes.removeSubrange(start...)
        bytes.append(contentsOf: token)
    }

    private static let characterOfByte: [Unicode.Scalar] = {
        var characters = [Unicode.Scalar](repeating: " ", count: 256)
        for (character, byte) in byteOfCharacter.enumerated() where byte != noByte {
            characters[Int(byte)] = Unicode.Scalar(UInt16(character)) ?? " "
        }
        return characters
    }()

    /// The characters that represent a token's bytes.
    package static func text(_ token: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in token { text.append(characterOfByte[Int(byte)]) }
        return String(text)
    }
}
