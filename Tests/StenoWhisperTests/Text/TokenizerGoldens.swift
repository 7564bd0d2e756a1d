import Foundation
import StenoCompute
import StenoCore
import StenoTestSupport
import StenoWhisper

/// The vocabularies and goldens of the tokenizer's tests.
enum TokenizerGoldens {
    static let folder = Fixtures.file("tokenizer")

    static func multilingual() throws -> Tokenizer { try sharedMultilingual.get() }

    static func englishOnly() throws -> Tokenizer { try sharedEnglishOnly.get() }

    /// Loaded once for all tests, because an unoptimised build takes a tenth of a second.
    private static let sharedMultilingual = Result { try Tokenizer(vocabulary: .load(folder: Fixtures.nano)) }

    private static let sharedEnglishOnly = Result {
        try Tokenizer(vocabulary: .load(folder: folder.appendingPathComponent("gpt2")))
    }

    struct Encoding {
        let text: String
        let multilingual: [Int]
        let englishOnly: [Int]
    }

    static func encodings() throws -> [Encoding] {
        try rows("encode.json", of: [String].self).map {
            Encoding(text: $0[0], multilingual: ids($0[1]), englishOnly: ids($0[2]))
        }
    }

    struct Decoding {
        let tokens: [Int]
        let text: String
        let textWithTimestamps: String
    }

    static func decodings() throws -> [Decoding] {
        try rows("decode.json", of: [String].self).map {
            Decoding(tokens: ids($0[0]), text: $0[1], textWithTimestamps: $0[$0.count - 1])
        }
    }

    /// A row of mixed types: a language, ids, words, and how many tokens each word has.
    struct Splitting: Decodable {
        let language: String
        let tokens: [Int]
        let words: [String]
        let counts: [Int]

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            language = try row.decode(String.self)
            tokens = ids(try row.decode(String.self))
            words = try row.decode([String].self)
            counts = try row.decode([Int].self)
        }
    }

    static func splittings() throws -> [Splitting] { try rows("words.json", of: Splitting.self) }

    private static func rows<Row: Decodable>(_ name: String, of row: Row.Type) throws -> [Row] {
        try JSONDecoder().decode([Row].self, from: Data(contentsOf: folder.appendingPathComponent(name)))
    }
}

private func ids(_ base64: String) -> [Int] {
    let bytes = [UInt8](Data(base64Encoded: base64) ?? Data())
    return stride(from: 0, to: bytes.count, by: 2).map { Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8 }
}

extension String {
    /// Texts are compared by scalars: Swift's `==` treats é and e + ´ as equal, but their tokens differ.
    var scalars: [UInt32] { unicodeScalars.map(\.value) }
}
