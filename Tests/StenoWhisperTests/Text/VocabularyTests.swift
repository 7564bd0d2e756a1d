import Foundation
import StenoTestSupport
import Testing

@testable import StenoCompute
@testable import StenoCore
@testable import StenoWhisper

struct VocabularyTests {
    @Test func readsVocabularyJSON() throws {
        let vocabulary = try Vocabulary.load(folder: Fixtures.nano)
        #expect(vocabulary.count == 51865)
        #expect(Array(vocabulary.bytes(of: 0)) == Array("!".utf8))
        #expect(Array(vocabulary.bytes(of: 220)) == [0x20])
        #expect(vocabulary.bytes(of: 50256).isEmpty)
        #expect(Array(vocabulary.bytes(of: 51864)) == Array("<|30.00|>".utf8))
    }

    @Test func threeFormatsAgree() throws {
        let vocabulary = try Vocabulary.load(folder: TokenizerGoldens.folder.appendingPathComponent("gpt2"))
        #expect(vocabulary.count == 51864)
        #expect(Array(vocabulary.bytes(of: 50256)) == Array("<|endoftext|>".utf8))
        let json = try Vocabulary.load(folder: Fixtures.nano)
        let bytes = [UInt8](try Data(contentsOf: Fixtures.nano.appendingPathComponent("tokenizer.json")))
        #expect(try Vocabulary(huggingFace: bytes) == json)
        let bundled = EngineModels.bundledBase.appendingPathComponent("tokenizer.json")
        let older = try Vocabulary(huggingFace: [UInt8](Data(contentsOf: bundled)))
        #expect(older.count == 50364)
        #expect((0..<50257).allSatisfy { older.bytes(of: $0) == json.bytes(of: $0) })
    }

    @Test func carriageReturnsEndLinesOnlyIfAllHaveThem() throws {
        #expect(try Vocabulary(lines: Array("a\r\nb\r\n".utf8)) == Vocabulary(byteLevelTokens: ["a", "b"]))
        #expect(try Vocabulary(lines: Array("a\r\nb\n\nc".utf8)) == Vocabulary(byteLevelTokens: ["a\r", "b", "", "c"]))
    }

    @Test func byteLevelStringsSpellBytes() {
        let vocabulary = Vocabulary(byteLevelTokens: ["ĠtheĊ", "Ã©", "Ń", "", "plain text", "☃"])
        let expected = [" the\n".utf8.map { $0 }, [0xC3, 0xA9], [0xAD], [], Array("plain text".utf8), Array("☃".utf8)]
        #expect((0..<6).map { Array(vocabulary.bytes(of: $0)) } == expected)
        #expect(Vocabulary(tokens: expected) == vocabulary)
    }

    @Test(arguments: [
        ("vocabulary.json", ""), ("vocabulary.json", "{}"), ("vocabulary.json", "[]"),
        ("vocabulary.json", "[\"a\", 1]"),
        ("vocabulary.json", "[\"a\""), ("vocabulary.txt", ""), ("tokenizer.json", "[]"), ("tokenizer.json", "{}"),
        ("tokenizer.json", #"{"model":{"vocab":{"a":0,"b":2}}}"#),
        ("tokenizer.json", #"{"added_tokens":[{"content":"x"}]}"#),
        ("tokenizer.json", #"{"model":{"vocab":{"a":2000000000}}}"#),
        ("tokenizer.json", #"{"model":{"vocab":{"a":-1}}}"#),
    ])
    func refusesADamagedFile(name: String, text: String) throws {
        try SmallModel.withFolder { folder in
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            expectError(.modelDamaged, says: name) { try Vocabulary.load(folder: folder) }
        }
    }

    /// A file of line endings alone would otherwise become a list many times its size.
    @Test func tooManyTokensAreRejected() throws {
        try SmallModel.withFolder { folder in
            try Data(repeating: 0x0A, count: 1_000_001).write(to: folder.appendingPathComponent("vocabulary.txt"))
            expectError(.modelDamaged, says: "1000000 tokens") { try Vocabulary.load(folder: folder) }
        }
    }

    @Test(arguments: [
        ("vocabulary.json", "[\"a\"]"), ("vocabulary.txt", "a"),
        ("tokenizer.json", #"{"added_tokens":[{"id":0,"content":"a"}]}"#),
    ])
    func readingCanBeCancelled(name: String, text: String) throws {
        try SmallModel.withFolder { folder in
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
            for last in 1...2 {
                let questions = Questions(yesFrom: last)
                expectError(.cancelled) {
                    try Vocabulary.load(folder: folder) {
                        if questions.ask() { throw StenoError(.cancelled, "Loading the model was cancelled.") }
                    }
                }
            }
        }
    }

    @Test func theFirstOfThreeFilesIsUsed() throws {
        try SmallModel.withFolder { folder in
            expectError(.modelNotFound, says: folder.path) { try Vocabulary.load(folder: folder) }
        }
        // The first of three files is used.
        try SmallModel.withFolder { folder in
            try Data(#"{"model":{"vocab":{"c":0}}}"#.utf8).write(to: folder.appendingPathComponent("tokenizer.json"))
            #expect(try Vocabulary.load(folder: folder) == Vocabulary(byteLevelTokens: ["c"]))
            try Data("b\n".utf8).write(to: folder.appendingPathComponent("vocabulary.txt"))
            #expect(try Vocabulary.load(folder: folder) == Vocabulary(byteLevelTokens: ["b"]))
            try Data("[\"a\"]".utf8).write(to: folder.appendingPathComponent("vocabulary.json"))
            #expect(try Vocabulary.load(folder: folder) == Vocabulary(byteLevelTokens: ["a"]))
        }
    }
}
