import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

/// Vocabularies that sentencepiece wrote, and damaged ones.
struct SentencePieceFileTests {
    private static func pieces(_ bytes: [UInt8]) throws -> [FastConformerTokenizer.Piece] {
        try SentencePieceFile(bytes, path: "tokenizer.model").pieces
    }

    private static func vocabulary(_ name: String) throws -> [UInt8] {
        let archive = try NeMoArchive(path: Fixtures.file("nemo/\(name).nemo").path)
        return try #require(archive.file(endingIn: "tokenizer.model")).bytes
    }

    @Test(arguments: ["hybrid", "prompted"])
    func thePiecesAreThoseOfSentencePiece(name: String) throws {
        let expected = try NeMoGoldens.expected(name)
        let pieces = try Self.pieces(Self.vocabulary(name))
        #expect(pieces.map(\.text) == expected.pieces)
        let tokenizer = FastConformerTokenizer(pieces: pieces)
        for text in expected.text { #expect(tokenizer.text(text.tokens) == text.text) }
    }

    @Test func piecesHaveKinds() throws {
        let hybrid = try Self.pieces(Self.vocabulary("hybrid"))
        #expect(hybrid[0].kind == .control)
        #expect(hybrid[1] == .init(text: "<|nospeech|>", kind: .control))
        #expect(hybrid[2] == .init(text: "<|pnc|>", kind: .control))
        #expect(hybrid[3] == .init(text: "▁t", kind: .normal))
        let prompted = try Self.pieces(Self.vocabulary("prompted"))
        #expect(prompted[1].kind == .language("en-US"))
        let bytes = try Self.pieces(
            sentencePiece("<0x41>", type: 6) + sentencePiece("a", type: 4) + sentencePiece("b", type: 3))
        #expect(bytes.map(\.kind) == [.byte(0x41), .normal, .control])
    }

    @Test func otherFieldsAreSkipped() throws {
        // A trainer's specification, a number, four bytes and eight bytes.
        let others: [UInt8] = [0x12, 2, 1, 2, 0x20, 0xFF, 1, 0x2D, 1, 2, 3, 4, 0x31, 1, 2, 3, 4, 5, 6, 7, 8]
        #expect(try Self.pieces(others + sentencePiece("a") + others).map(\.text) == ["a"])
    }

    @Test func damageIsNamed() {
        let cases: [(bytes: [UInt8], reason: String)] = [
            ([], "no pieces"), ([0x12, 1, 0], "no pieces"), ([0x0A], "too early"), ([0x0A, 5, 1], "too early"),
            ([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1], "too early"), ([0x0B], "unknown kind 3"),
            ([UInt8](repeating: 0xFF, count: 20), "64 bits"), ([0x0A, 1, 0x0C], "unknown kind 4"),
        ]
        for (bytes, reason) in cases {
            expectError(.modelDamaged, says: "tokenizer.model", reason) { try Self.pieces(bytes) }
        }
    }
}
