import Testing

@testable import StenoCore

/// The YAML that programs write, and damage that must be noticed.
struct YAMLReaderTests {
    private static func read(_ text: String) throws -> YAMLValue {
        try Array(text.utf8).withUnsafeBytes { try YAMLReader.read($0, path: "model_config.yaml") }
    }

    @Test func mapsAndListsAreNestedByIndentation() throws {
        let value = try Self.read(
            """
            # A comment
            encoder:
              n_layers: 17   # another
              att_context_size:
              - - 70
                - 13
              - [70, 6]
              contexts:
                - left: 1
                  right: 2
                -
                  left: 3
            empty:
            last: text
            """)
        #expect(value["encoder", "n_layers"]?.integer == 17)
        #expect(value["encoder", "att_context_size"]?.items?.map(\.integers) == [[70, 13], [70, 6]])
        #expect(value["encoder", "contexts"]?.items?.map { $0["left"]?.integer } == [1, 3])
        #expect(value["encoder", "contexts"]?.items?.first?["right"]?.integer == 2)
        #expect(value["empty"]?.text == nil)
        #expect(value["last"]?.text == "text")
        #expect(value["nothing", "below"] == nil)
    }

    @Test func scalarsHaveTypes() throws {
        let value = try Self.read(
            """
            integer: -3
            real: 1.0e-05
            yes: true
            no: off
            'null': ~
            quoted: "17"
            path: nemo:0123_tokenizer.model
            colon: 'a: b # no comment'
            """)
        #expect(value["integer"]?.integer == -3)
        #expect(value["real"]?.number == 1e-5)
        #expect(value["yes"]?.flag == true)
        #expect(value["no"]?.flag == false)
        #expect(value["null"] != nil && value["null"]?.text == nil)
        #expect(value["quoted"]?.integer == nil && value["quoted"]?.text == "17")
        #expect(value["path"]?.text == "nemo:0123_tokenizer.model")
        #expect(value["colon"]?.text == "a: b # no comment")
    }

    @Test func textMayBeQuotedOrOverSeveralLines() throws {
        let value = try Self.read(
            #"""
            single: 'it''s'
            double: "a\tb\u2581\x41\"\\"
            plain: one
              two
              three
            folded: "one
              two"
            block: |
              first
              second
            after: 1
            """#)
        #expect(value["single"]?.text == "it's")
        #expect(value["double"]?.text == "a\tb\u{2581}A\"\\")
        #expect(value["plain"]?.text == "one two three")
        #expect(value["folded"]?.text == "one two")
        #expect(value["block"]?.text == "first second")
        #expect(value["after"]?.integer == 1)
    }

    @Test func bracketsNest() throws {
        let value = try Self.read(#"a: {b: [1, 2, [3]], "c": 'x, y', d, e: {}}"#)
        #expect(value["a", "b"]?.items?.last?.integers == [3])
        #expect(value["a", "c"]?.text == "x, y")
        #expect(value["a", "d"]?.text == nil)
        #expect(value["a", "e"]?.entries.isEmpty == true)
    }

    /// Tokens may be accents, quotes and signs that mean something elsewhere.
    @Test func aListOfTokensIsReadExactly() throws {
        let value = try Self.read("labels:\n- ▁the\n- \u{301}\n- ','\n- '-'\n- \"\\\"\"\n- a:b\n- '''s'\n- ü\n")
        #expect(value["labels"]?.items?.map(\.text) == ["▁the", "\u{301}", ",", "-", "\"", "a:b", "'s", "ü"])
    }

    @Test func anEmptyFileIsAnEmptyMap() throws {
        #expect(try Self.read("# nothing\n---\n") == .map([]))
    }

    @Test(arguments: [
        ("a: 1\nb", "line 2 has no key"), ("a: [1, 2", "line 1 has a list"), ("a: {b: 1", "closing bracket"),
        ("a: [1] 2", "after its value"), ("a: 'text", "closing quote"), ("a: \"\\uD800\"", "not a character"),
        ("a: &x 1", "anchor"), ("a: !!python/object:os.system 1", "anchor or a tag"),
        ("a:\n    b: 1\n  c: 2", "line 3"),
        ("a: [1 2]x", "after its value"), ("a: [{b: 1} 2]", "commas"),
        (String(repeating: "[", count: 100), "nested"), (String(repeating: "- ", count: 100) + "x", "nested"),
    ])
    func whatCannotBeReadIsNamed(text: String, reason: String) {
        expectError(.modelDamaged, says: "model_config.yaml", reason) { try Self.read(text) }
    }
}
