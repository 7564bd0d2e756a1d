import Foundation
import StenoCore
import StenoTestSupport
import Testing

@testable import StenoFastConformer

struct FastConformerTokenizerTests {
    /// Pieces of all kinds, as in the files of v3 and of Nemotron 3.5.
    static let tokenizer = FastConformerTokenizer(
        pieces: [
            ("<unk>", false), ("<|nospeech|>", true), ("<pad>", true), ("<0xE2>", false), ("<0x82>", false),
            ("<0xAC>", false), ("\u{2581}how", false), ("\u{2581}are", false), ("n't", false), ("?", false),
            ("\u{2581}.", false), ("<en-US>", true), ("<de-DE>", false), ("\u{2581}", false),
            ("\u{2581}1\u{2581}2", false),
        ].map { FastConformerTokenizer.Piece($0.0, isSpecial: $0.1) })

    @Test func piecesHaveText() {
        #expect(Self.tokenizer.text([6, 7, 8, 9]) == "how aren't?")
        #expect(Self.tokenizer.text([8, 6]) == "n't how")
        #expect(Self.tokenizer.text([14]) == "1 2")
        #expect(Self.tokenizer.text([Int]()) == "")
        #expect(Self.tokenizer.text([13]) == "")
        // Bytes spell characters.
        #expect(Self.tokenizer.text([6, 13, 3, 4, 5]) == "how €")
        #expect(Self.tokenizer.text([3, 4]) == "\u{FFFD}")
        // Control pieces have no text.
        #expect(Self.tokenizer.text([1, 0, 2, 6, 11, 12]) == "how")
        #expect(Self.tokenizer.pieces[1].kind == .control)
        #expect(Self.tokenizer.text([-1, 99]) == "")
    }

    @Test func tagsNameTheLanguage() {
        #expect(Self.tokenizer.language(11) == "en-US")
        #expect(Self.tokenizer.language(12) == "de-DE")
        #expect(Self.tokenizer.language(6) == nil)
        #expect(Self.tokenizer.language(99) == nil)
        #expect(Self.tokenizer.languages == ["en-US", "de-DE"])
    }

    @Test func wordsBeginAtSpaces() {
        #expect([6, 7, 14].allSatisfy(Self.tokenizer.beginsWord))
        #expect(![8, 9, 10, 11, 99].contains(where: Self.tokenizer.beginsWord))
        #expect([9, 10].allSatisfy(Self.tokenizer.isPunctuation))
        #expect(![6, 8, 13, 11, 99].contains(where: Self.tokenizer.isPunctuation))
    }

    private static func read(_ json: String) throws -> FastConformerTokenizer {
        let folder = try TemporaryFolder()
        return try FastConformerTokenizer(tokenizerJSON: folder.write(json, to: "tokenizer.json"))
    }

    @Test func readsByteFallbackBPE() throws {
        let tokenizer = try Self.read(
            """
            {"version": "1.0", "added_tokens": [
                {"id": 0, "content": "<unk>", "special": true, "lstrip": false},
                {"id": 4, "content": "<blank>", "special": true}, {"id": 3, "content": "ok", "special": false}],
             "decoder": {"type": "Sequence"},
             "model": {"type": "BPE", "byte_fallback": true, "merges": [["a", "b"]],
                       "vocab": {"<unk>": 0, "\\u2581a": 1, "<0x41>": 2, "ok": 3}}}
            """)
        #expect(tokenizer.pieces.map(\.kind) == [.control, .normal, .byte(0x41), .normal, .control])
        #expect(tokenizer.text([1, 2, 3]) == "aAok")
    }

    @Test func readsUnigram() throws {
        let tokenizer = try Self.read(
            """
            {"model": {"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0.0], ["\\u2581the", -2.5], ["s", -3]]}}
            """)
        #expect(tokenizer.text([1, 2]) == "thes")
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"model": {"vocab": {}}}"#, #"{"model": {"vocab": {"a": 0, "b": 2}}}"#,
        #"{"model": {"vocab": {"a": -1}}}"#, #"{"model": {"vocab": {"a": 9999999}}}"#,
        #"{"model": {"vocab": {"a": 0}}, "added_tokens": [{"content": "b"}]}"#, #"{"model": {"vocab": [["a", 1]]}"#,
    ])
    func refusesOtherFiles(json: String) throws {
        expectError(.modelDamaged) { try Self.read(json) }
    }
}
