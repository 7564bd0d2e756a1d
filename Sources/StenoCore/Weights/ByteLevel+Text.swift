extension ByteLevel {
    private static let characterOfByte: [Unicode.Scalar] = {
        var characters = [Unicode.Scalar](repeating: " ", count: 256)
        for (character, byte) in byteOfCharacter.enumerated() where byte != noByte {
            characters[Int(byte)] = Unicode.Scalar(UInt16(character)) ?? " "
        }
        return characters
    }()

    static func text(_ token: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in token { text.append(characterOfByte[Int(byte)]) }
        return String(text)
    }
}

extension Vocabulary {
    /// The byte-level string of a token, as in JSON files: `Ġthe` for " the".
    package func byteLevelText(of id: Int) -> String { ByteLevel.text(bytes(of: id)) }

    package static func byteLevelText(_ bytes: some Collection<UInt8>) -> String { ByteLevel.text(bytes) }
}
