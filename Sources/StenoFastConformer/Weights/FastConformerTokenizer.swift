/// Converts the token ids of a FastConformer model to text: the pieces of a SentencePiece vocabulary.
///
/// A piece is text in which `▁` is a space. Byte pieces, such as `<0xE2>`, spell characters that have no piece. Control
/// pieces have no text; some of Nemotron 3.5's name the language that was spoken.
package struct FastConformerTokenizer: Sendable {
    package enum Kind: Sendable, Hashable {
        case normal
        /// One byte of UTF-8.
        case byte(UInt8)
        /// A piece without text.
        case control
        /// The language of the text, such as `en-US`; without text.
        case language(String)
    }

    package struct Piece: Sendable, Hashable {
        /// As in the model's files, with `▁` for a space.
        package var text: String
        package var kind: Kind
    }

    package let pieces: [Piece]
    private let bytes: [[UInt8]]

    package init(pieces: [Piece]) {
        self.pieces = pieces
        bytes = pieces.map { piece in
            switch piece.kind {
            case .normal: Self.spaced(piece.text)
            case .byte(let byte): [byte]
            case .control, .language: []
            }
        }
    }

    /// The bytes of a piece with a space for `▁`, U+2581.
    private static func spaced(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            bytes.append(byte)
            if bytes.suffix(3) == [0xE2, 0x96, 0x81] { bytes.replaceSubrange((bytes.count - 3)..., with: [0x20]) }
        }
        return bytes
    }

    /// The text of tokens, without the first space; bytes that are not valid UTF-8 become U+FFFD.
    package func text(_ ids: some Sequence<Int>) -> String {
        var all: [UInt8] = []
        for id in ids { all += bytes(of: id) }
        return String(decoding: all.first == UInt8(ascii: " ") ? all.dropFirst() : all[...], as: UTF8.self)
    }

    /// The bytes of a token with `▁` as a space; none for a control piece or an id outside the vocabulary.
    package func bytes(of id: Int) -> [UInt8] { bytes.indices.contains(id) ? bytes[id] : [] }

    /// Whether a token begins a word: with a space, and not only punctuation.
    package func beginsWord(_ id: Int) -> Bool { bytes(of: id).first == UInt8(ascii: " ") && !isPunctuation(id) }

    /// Whether a token is punctuation alone, perhaps after a space.
    package func isPunctuation(_ id: Int) -> Bool {
        guard pieces.indices.contains(id), pieces[id].kind == .normal else { return false }
        let text = String(decoding: bytes[id], as: UTF8.self).drop { $0 == " " }
        return !text.isEmpty && text.allSatisfy(\.isPunctuation)
    }

    package func language(_ id: Int) -> String? {
        guard pieces.indices.contains(id), case .language(let code) = pieces[id].kind else { return nil }
        return code
    }

    /// The languages that the model can name, in order of their ids.
    package var languages: [String] { pieces.indices.compactMap(language) }
}

extension FastConformerTokenizer.Piece {
    /// A piece of a vocabulary, by its text and by whether the file declares it to be a control piece.
    package init(_ text: String, isSpecial: Bool) {
        self.init(text: text, kind: Self.kind(of: text, isSpecial: isSpecial))
    }

    private static func kind(of text: String, isSpecial: Bool) -> FastConformerTokenizer.Kind {
        guard text.hasPrefix("<"), text.hasSuffix(">"), text.utf8.count > 2 else {
            return isSpecial ? .control : .normal
        }
        let name = text.dropFirst().dropLast()
        if name.utf8.count == 4, name.hasPrefix("0x"), let byte = UInt8(name.dropFirst(2), radix: 16) {
            return .byte(byte)
        }
        if isLanguage(name) { return .language(String(name)) }
        let isControl = ["unk", "pad", "s", "/s", "blank"].contains(name) || name.hasPrefix("|") && name.hasSuffix("|")
        return isSpecial || isControl ? .control : .normal
    }

    /// Whether a tag is a language and a region, such as `en-US`.
    private static func isLanguage(_ name: Substring) -> Bool {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && (2...3).contains(parts[0].count) && parts[1].count == 2
            && parts[0].allSatisfy { $0.isASCII && $0.isLowercase }
            && parts[1].allSatisfy { $0.isASCII && $0.isUppercase }
    }
}
