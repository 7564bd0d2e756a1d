package import StenoCore

/// The bytes of every token id, as listed in the model's files.
///
/// Tokens are bytes, not text: one Burmese character may be spread over three tokens. All bytes are in one array,
/// because allocating 50,000 small arrays would take longer than reading the file.
package struct Vocabulary: Sendable, Hashable {
    package let storage: [UInt8]
    /// The end of each token in `storage`; it starts where the previous token ends.
    let ends: [UInt32]

    package var count: Int { ends.count }

    /// Creates a vocabulary from raw bytes in order of the ids, as stored in GGML files.
    package init(tokens: some Sequence<[UInt8]>) {
        var builder = Builder()
        for token in tokens { builder.append(token) }
        self = builder.finish()
    }

    /// Creates a vocabulary from GPT-2's byte-level strings in order of the ids, such as `Ġthe` for " the".
    package init(byteLevelTokens: some Sequence<String>) {
        var builder = Builder()
        for token in byteLevelTokens { builder.append(byteLevel: token.utf8) }
        self = builder.finish()
    }

    /// The bytes of a token; empty for an id outside the vocabulary.
    package func bytes(of id: Int) -> ArraySlice<UInt8> {
        guard ends.indices.contains(id) else { return [] }
        return storage[range(of: id)]
    }

    /// The byte-level string of a token, as in JSON files: `Ġthe` for " the".
    package func byteLevelText(of id: Int) -> String { ByteLevel.text(bytes(of: id)) }

    /// The range of a token's bytes in `storage`; the id must be in the vocabulary.
    package func range(of id: Int) -> Range<Int> { Int(id == 0 ? 0 : ends[id - 1])..<Int(ends[id]) }

    /// The number of byte values that are not a token of their own among the ids below `count`.
    package func bytesWithoutToken(below count: Int) -> Int {
        var isToken = [Bool](repeating: false, count: 256)
        for id in 0..<min(count, self.count) {
            let range = range(of: id)
            if range.count == 1 { isToken[Int(storage[range.lowerBound])] = true }
        }
        return isToken.reduce(0) { $0 + ($1 ? 0 : 1) }
    }

    struct Builder {
        private var storage: [UInt8] = []
        private var ends: [UInt32] = []

        /// Reserves memory for a file of this size; Whisper's tokens take about seven bytes each there, or more.
        mutating func reserve(fileSize: Int) {
            storage.reserveCapacity(fileSize / 2)
            ends.reserveCapacity(fileSize / 16)
        }

        mutating func append(_ token: some Collection<UInt8>) {
            storage.append(contentsOf: token)
            ends.append(UInt32(storage.count))
        }

        mutating func append(byteLevel token: some Collection<UInt8>) {
            ByteLevel.append(token, to: &storage)
            ends.append(UInt32(storage.count))
        }

        var count: Int { ends.count }

        func finish() -> Vocabulary { Vocabulary(storage: storage, ends: ends) }
    }

    private init(storage: [UInt8], ends: [UInt32]) { (self.storage, self.ends) = (storage, ends) }
}

extension Vocabulary {
    /// Reads the list of tokens in a GGML file: i32 count, then for each token u32 length and its bytes.
    ///
    /// - Throws: `modelDamaged`, also for more than `limit` tokens.
    package init(ggml reader: inout LittleEndianReader, limit: Int) throws {
        let count = Int(try reader.next(Int32.self))
        try ensure(
            (0...max(limit, 0)).contains(count),
            or: reader.damaged("it lists \(count) tokens, and its header says \(limit)"))
        var builder = Builder()
        for _ in 0..<count {
            let length = Int(try reader.next(UInt32.self))
            guard length <= WeightLimits.tokenBytes else { throw reader.damaged("a token has \(length) bytes") }
            builder.append(try reader.bytes(length))
        }
        self = builder.finish()
    }
}

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
            case 0x21...0x7E, 0xA1...0xAC, 0xAE...0xFF: table[Int(byte)] = byte
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
