#if Server
    import Testing

    @testable import StenoServer

    struct JSONValueTests {
        private func parse(_ text: String) throws -> JSONValue { try JSONValue(parsing: text.utf8) }

        @Test func everyKindOfValueIsParsed() throws {
            let expected: JSONValue = ["a": [1, .number(-25), 0.5, 0, true, false, .null, "ä\n"], "b": [:], "": []]
            let text = #" {"a": [1, -2.5e+1, 5E-1, 0, true, false, null, "\u00e4\n"], "b": {}, "": []} "#
            #expect(try parse(text) == expected)
            #expect(try parse("7") == 7)
        }

        @Test(arguments: [
            "", "{", "[1,]", "[01]", "[.5]", "[1.]", "[+1]", "[1e]", "[-]", "[1e400]", "[NaN]", "[nul]", "[nullx]",
            "{1:2}", "[] []", #"["\#u{1}"]"#,
        ])
        func invalidTextIsRefused(_ text: String) { #expect(throws: (any Error).self) { try parse(text) } }

        @Test func invalidUTF8IsRefused() {
            #expect(throws: (any Error).self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        }

        /// Both would take many times the usual time and memory for their length.
        @Test func tooManyOrTooDeepValuesAreRefused() throws {
            let ones = [String](repeating: "1", count: JSONValue.mostValues).joined(separator: ",")
            #expect(throws: (any Error).self) { try parse("[\(ones)]") }
            #expect(try parse("[\(ones.dropLast(2))]").array?.count == JSONValue.mostValues - 1)
            func nested(_ depth: Int) -> String {
                String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            }
            #expect(throws: (any Error).self) { try parse(nested(65)) }
            #expect(try parse(nested(64)).array?.count == 1)
        }
    }
#endif
