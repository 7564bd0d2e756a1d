import Testing

@testable import StenoCore

struct JSONScannerTests {
    private func strings(_ text: String) throws -> [String] {
        var scanner = JSONScanner(Array(text.utf8))
        var strings: [String] = []
        try scanner.array { scanner in
            var bytes: [UInt8] = []
            try scanner.string(into: &bytes)
            strings.append(String(decoding: bytes, as: UTF8.self))
        }
        try scanner.end()
        return strings
    }

    @Test func readsStrings() throws {
        #expect(try strings(" [ ] ") == [])
        #expect(try strings(#"["a" , "", "Ġb"]"#) == ["a", "", "Ġb"])
        #expect(try strings(#"["\"\\\/\b\f\n\r\t"]"#) == ["\"\\/\u{8}\u{C}\n\r\t"])
        #expect(try strings(#"["\u0120x\u00e9\uD83D\ude00\u0000"]"#) == ["Ġxé😀\u{0}"])
    }

    @Test(arguments: [
        "", "[", "]", "[\"a]", "[\"a\"", "[\"a\",]", "[,]", "[\"a\" \"b\"]", "[\"a\"]x", "[\"a\"][", "{}", "[1]",
        "[null]",
        #"["\x"]"#, #"["\u12"]"#, #"["\u12g4"]"#, #"["\ud800"]"#, #"["\ud800\u0041"]"#, #"["\udc00"]"#, #"["\"#,
        "[\"\n\"]",
    ])
    func refuses(text: String) {
        #expect(throws: JSONScanner.Malformed.self) { try strings(text) }
    }

    @Test func skipsUnrequestedValues() throws {
        var scanner = JSONScanner(Array(#"{"a":[1,-2.5e+3,{"x":"]"}],"b":null,"n":42,"c":{}}"#.utf8))
        var found: Int?
        try scanner.object { scanner, key in
            if key.elementsEqual("n".utf8) { found = try scanner.wholeNumber() } else { try scanner.skipValue() }
        }
        try scanner.end()
        #expect(found == 42)
    }

    @Test func skippedStringsEndWhereTheyShould() throws {
        for text in [#""""#, #""a""#, #""\\""#, #""\"]""#, #""\u0022\uD83D\ude00""#, #"{"\"}":"\"","":[]}"#] {
            var scanner = JSONScanner(Array("[\(text) , 7]".utf8))
            var isFirst = true
            try scanner.array { scanner in
                defer { isFirst = false }
                guard !isFirst else { return try scanner.skipValue() }
                let number = try scanner.wholeNumber()
                #expect(number == 7)
            }
            try scanner.end()
        }
    }

    @Test(arguments: [
        #""\x""#, #""\u12g4""#, #""\ud800""#, #""\"#, #""a"#, "\"\n\"", #"{"\x":1}"#, #"{1:1}"#, #"{"a" 1}"#,
        #"{"a":1"#,
    ])
    func refusesInvalidSkippedValues(text: String) {
        var scanner = JSONScanner(Array(text.utf8))
        #expect(throws: JSONScanner.Malformed.self) { try scanner.skipValue() }
    }

    /// Offsets in weight files exceed 32 bits.
    @Test func readsWholeNumbersUpToTheLargestAndRefusesDeepNesting() throws {
        for number in [0, 7, 1 << 31, 1 << 40, Int.max] {
            var scanner = JSONScanner(Array("\(number)".utf8))
            #expect(try scanner.wholeNumber() == number)
        }
        for text in ["9223372036854775808", "9223372036854775810", "18446744073709551616", "-1", ""] {
            var scanner = JSONScanner(Array(text.utf8))
            #expect(throws: JSONScanner.Malformed.self) { try scanner.wholeNumber() }
        }
        var deep = JSONScanner([UInt8](repeating: UInt8(ascii: "["), count: 100_000))
        #expect(throws: JSONScanner.Malformed.self) { try deep.skipValue() }
        var huge = JSONScanner([UInt8](repeating: UInt8(ascii: "9"), count: 40))
        #expect(throws: JSONScanner.Malformed.self) { try huge.wholeNumber() }
    }
}
