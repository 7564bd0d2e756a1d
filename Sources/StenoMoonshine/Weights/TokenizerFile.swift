import Foundation
import StenoCompute
import StenoCore

/// The tokens in Hugging Face's `tokenizer.json` of a SentencePiece vocabulary with byte fallback.
///
/// ```
/// {"added_tokens": [{"id": 1, "content": "<s>", "special": true}, …], "model": {"vocab": {"▁the": 278, …}, …}, …}
/// ```
/// In pieces, `▁` is a space, and `<0x0A>` the byte that no other piece has. Special tokens have no text.
struct TokenizerFile {
    let vocabulary: Vocabulary
    let special: Set<Int>

    static let name = "tokenizer.json"
    /// Ten times the largest known file.
    private static let maximumSize = 64 << 20
    private static let maximumCount = 1_000_000

    /// - Throws: `modelNotFound` if there is no such file in the folder, `modelDamaged`.
    init(folder: URL, checkCancellation: () throws -> Void) throws {
        let url = folder.appendingPathComponent(Self.name)
        try ensure(
            FileManager.default.fileExists(atPath: url.path), or: .modelNotFound,
            "\(folder.path) has no \(Self.name). Copy it from where the model came from, or download the model again.")
        let file = try ModelFile(path: url.path)
        guard file.byteCount <= Self.maximumSize else { throw Self.damaged(url, "it has \(file.byteCount) bytes") }
        do {
            try self.init(file.contents(), checkCancellation: checkCancellation)
        } catch let error as JSONScanner.Malformed {
            throw Self.damaged(url, "\(error)", error)
        } catch let error as Damage {
            throw Self.damaged(url, error.reason, error)
        }
    }

    init(_ bytes: [UInt8], checkCancellation: () throws -> Void = {}) throws {
        var tokens: [Int: [UInt8]] = [:]
        var added: [Added] = []
        var scanner = JSONScanner(bytes)
        try scanner.object { scanner, key in
            switch String(decoding: key, as: UTF8.self) {
            case "added_tokens": try scanner.array { try added.append(Added(&$0)) }
            case "model":
                try scanner.object { scanner, key in
                    guard key.elementsEqual("vocab".utf8) else { return try scanner.skipValue() }
                    try scanner.object { scanner, piece in
                        if tokens.count % 4096 == 0 { try checkCancellation() }
                        tokens[try scanner.wholeNumber()] = Self.bytes(of: piece)
                    }
                }
            default: try scanner.skipValue()
            }
        }
        try scanner.end()
        for token in added { tokens[token.id] = token.isSpecial ? [] : token.content }
        special = Set(added.filter(\.isSpecial).map(\.id))
        vocabulary = try Self.vocabulary(tokens)
    }

    /// The tokens in order; every id must be used, because a gap would be a token that decodes to nothing.
    private static func vocabulary(_ tokens: [Int: [UInt8]]) throws -> Vocabulary {
        try ensure(
            !tokens.isEmpty && tokens.count <= maximumCount, or: Damage(reason: "it lists \(tokens.count) tokens"))
        return Vocabulary(
            tokens: try (0..<tokens.count).map { id in
                guard let bytes = tokens[id] else { throw Damage(reason: "no token has id \(id)") }
                return bytes
            })
    }

    private static func bytes(of piece: [UInt8]) -> [UInt8] {
        if piece.count == 6, piece.starts(with: "<0x".utf8), piece.last == UInt8(ascii: ">"),
            let byte = UInt8(String(decoding: piece[3..<5], as: UTF8.self), radix: 16)
        {
            return [byte]
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(piece.count)
        var rest = piece[...]
        while let first = rest.first {
            let isSpace = rest.starts(with: "▁".utf8)
            bytes.append(isSpace ? UInt8(ascii: " ") : first)
            rest = rest.dropFirst(isSpace ? 3 : 1)
        }
        return bytes
    }

    private static func damaged(_ url: URL, _ reason: String, _ underlying: (any Error)? = nil) -> StenoError {
        StenoError(
            .modelDamaged, "\(url.path) is not a vocabulary: \(reason). Copy or convert the model again.",
            underlying: underlying)
    }

    /// Why a syntactically valid file is not a vocabulary.
    private struct Damage: Error {
        let reason: String
    }

    private struct Added {
        var id = -1
        var content: [UInt8] = []
        var isSpecial = false

        init(_ scanner: inout JSONScanner) throws {
            try scanner.object { scanner, key in
                switch String(decoding: key, as: UTF8.self) {
                case "id": id = try scanner.wholeNumber()
                case "content": try scanner.string(into: &content)
                case "special":
                    isSpecial = scanner.peek() == UInt8(ascii: "t")
                    try scanner.word(isSpecial ? "true" : "false")
                default: try scanner.skipValue()
                }
            }
        }
    }
}
