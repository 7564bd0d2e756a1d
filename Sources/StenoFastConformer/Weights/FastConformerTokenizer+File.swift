package import Foundation
import StenoCore

extension FastConformerTokenizer {
    /// Reads Hugging Face's `tokenizer.json`: the pieces in `model.vocab`, an object or a list of pieces with scores,
    /// and control pieces in `added_tokens`.
    ///
    /// - Throws: ``StenoError``: `modelNotFound`, or `modelDamaged` if the file is not a vocabulary.
    package init(tokenizerJSON file: URL) throws {
        let opened = try ModelFile(path: file.path)
        try ensure(
            opened.byteCount <= Self.maximumFileSize, or: .modelDamaged,
            "\(file.path) has \(opened.byteCount) bytes, which is too large for a vocabulary. Download the model "
                + "again.")
        do {
            var list = PieceList()
            var scanner = JSONScanner(try opened.contents())
            try list.read(&scanner)
            self.init(pieces: try list.pieces())
        } catch let error where !(error is StenoError) {
            throw StenoError(
                .modelDamaged, "\(file.path) is not a vocabulary: \(error). Download the model again.",
                underlying: error)
        }
    }

    /// Ten times the largest known vocabulary.
    private static let maximumFileSize = 64 << 20
}

/// Why a syntactically valid file is not a vocabulary.
private struct DamagedPieces: Error, CustomStringConvertible {
    let description: String
}

/// The pieces of a file, in any order.
private struct PieceList {
    private static let maximumCount = 1_000_000

    private var texts: [Int: String] = [:]
    private var special: Set<Int> = []

    mutating func read(_ scanner: inout JSONScanner) throws {
        try scanner.object { scanner, key in
            switch String(decoding: key, as: UTF8.self) {
            case "model":
                try scanner.object { scanner, key in
                    guard key.elementsEqual("vocab".utf8) else { return try scanner.skipValue() }
                    try readVocabulary(&scanner)
                }
            case "added_tokens": try scanner.array { try readAdded(&$0) }
            default: try scanner.skipValue()
            }
        }
        try scanner.end()
    }

    /// BPE models have an object of pieces and ids, Unigram models a list of pieces and scores.
    private mutating func readVocabulary(_ scanner: inout JSONScanner) throws {
        guard scanner.peek() == UInt8(ascii: "[") else {
            return try scanner.object { scanner, piece in
                try add(String(decoding: piece, as: UTF8.self), id: scanner.wholeNumber())
            }
        }
        var id = 0
        try scanner.array { scanner in
            var text: [UInt8] = []
            var isFirst = true
            try scanner.array { scanner in
                if isFirst { try scanner.string(into: &text) } else { try scanner.skipValue() }
                isFirst = false
            }
            try add(String(decoding: text, as: UTF8.self), id: id)
            id += 1
        }
    }

    private mutating func readAdded(_ scanner: inout JSONScanner) throws {
        var id: Int?
        var content: [UInt8] = []
        var isSpecial = true
        try scanner.object { scanner, key in
            switch String(decoding: key, as: UTF8.self) {
            case "id": id = try scanner.wholeNumber()
            case "content": try scanner.string(into: &content)
            case "special":
                isSpecial = scanner.peek() == UInt8(ascii: "t")
                try scanner.skipValue()
            default: try scanner.skipValue()
            }
        }
        guard let id else { throw DamagedPieces(description: "an added token has no id") }
        try add(String(decoding: content, as: UTF8.self), id: id)
        if isSpecial { special.insert(id) }
    }

    private mutating func add(_ text: String, id: Int) throws {
        try ensure(
            id < Self.maximumCount && texts.count < Self.maximumCount,
            or: DamagedPieces(description: "it has more than \(Self.maximumCount) tokens"))
        texts[id] = text
    }

    /// The pieces by id; every id must be used.
    func pieces() throws -> [FastConformerTokenizer.Piece] {
        guard !texts.isEmpty else { throw DamagedPieces(description: "it lists no tokens") }
        return try (0..<texts.count).map { id in
            guard let text = texts[id] else { throw DamagedPieces(description: "no token has id \(id)") }
            return FastConformerTokenizer.Piece(text, isSpecial: special.contains(id))
        }
    }
}
