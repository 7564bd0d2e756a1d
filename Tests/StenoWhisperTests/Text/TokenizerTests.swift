import StenoWhisper
import Testing

@testable import StenoCore

struct TokenizerTests {
    @Test func encodesAsTiktokenMultilingual() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        let goldens = try TokenizerGoldens.encodings()
        let different = goldens.filter { tokenizer.encode($0.text) != $0.multilingual }
        #expect(goldens.count > 2600)
        #expect(different.map(\.text) == [], "\(different.count) of \(goldens.count)")
    }

    @Test func encodesAsTiktokenEnglishOnly() throws {
        let tokenizer = try TokenizerGoldens.englishOnly()
        let goldens = try TokenizerGoldens.encodings()
        let different = goldens.filter { tokenizer.encode($0.text) != $0.englishOnly }
        #expect(different.map(\.text) == [], "\(different.count) of \(goldens.count)")
    }

    @Test func decodesWhatItEncoded() throws {
        let (multilingual, english) = (try TokenizerGoldens.multilingual(), try TokenizerGoldens.englishOnly())
        for golden in try TokenizerGoldens.encodings() {
            #expect(multilingual.decode(golden.multilingual).scalars == golden.text.scalars)
            #expect(english.decode(golden.englishOnly).scalars == golden.text.scalars)
        }
    }

    @Test func decodesBrokenTextAsPython() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        let goldens = try TokenizerGoldens.decodings()
        let different = goldens.filter { tokenizer.decode($0.tokens).scalars != $0.text.scalars }
        #expect(goldens.count > 1200)
        #expect(different.map(\.tokens) == [], "\(different.count) of \(goldens.count)")
    }

    @Test func decodesTimestampsAsFasterWhisper() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        for golden in try TokenizerGoldens.decodings() {
            #expect(
                tokenizer.decodeWithTimestamps(golden.tokens).scalars == golden.textWithTimestamps.scalars,
                "\(golden.tokens)")
        }
    }

    @Test func ignoresIdsOutsideTheVocabulary() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        #expect(tokenizer.decode([-1, 51865, 1 << 40]) == "")
        #expect(tokenizer.bytes(of: -1).isEmpty && tokenizer.bytes(of: 51865).isEmpty)
        #expect(Array(tokenizer.bytes(of: 50258)) == Array("<|startoftranscript|>".utf8))
    }

    /// An algorithm that scans the whole word for every merge would take minutes.
    @Test func encodesAVeryLongWord() throws {
        let tokenizer = try TokenizerGoldens.multilingual()
        let text = String(repeating: "ดอกไม้ริมแม่น้ำ", count: 1500)
        #expect(tokenizer.decode(tokenizer.encode(text)).scalars == text.scalars)
    }

    @Test func encodesTheSameOnManyTasks() async throws {
        let vocabulary = try TokenizerGoldens.multilingual().vocabulary
        let tokenizer = try Tokenizer(vocabulary: vocabulary)
        let expected = try Tokenizer(vocabulary: vocabulary).encode("The first one makes the table.")
        await withTaskGroup(of: [Int].self) { group in
            for _ in 0..<8 { group.addTask { tokenizer.encode("The first one makes the table.") } }
            for await tokens in group { #expect(tokens == expected) }
        }
    }

    @Test func refusesAVocabularyWithoutAllBytes() throws {
        let specialTokens = try SpecialTokens(vocabularySize: 51865)
        let vocabulary = Vocabulary(tokens: (0..<255).map { [UInt8($0)] })
        let error = #expect(throws: StenoError.self) {
            try Tokenizer(vocabulary: vocabulary, specialTokens: specialTokens)
        }
        #expect(error?.code == .modelUnsupported)
    }
}
