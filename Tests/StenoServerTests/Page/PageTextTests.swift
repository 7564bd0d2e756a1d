#if Server
    import Foundation
    import Testing

    @testable import StenoServer

    @Suite("The texts of the captions page") struct PageTextTests {
        private static let codes = ["en", "es", "pt", "de", "fr", "tr"]

        private let files: [String: String]

        init() throws { files = try CaptionsPage().files.mapValues(\.text) }

        private func texts(_ ending: String) -> [String: String] { files.filter { $0.key.hasSuffix(ending) } }

        private func locale(_ code: String) throws -> [String: String] {
            let text = try #require(files["locales/\(code).json"])
            return try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
        }

        /// The keys used in the scripts and documents.
        private var used: Set<String> {
            var keys: Set<String> = []
            for text in texts(".js").values {
                for match in text.matches(of: #/\bt\(\s*"([a-zA-Z.]+)"/#) { keys.insert(String(match.1)) }
            }
            for text in texts(".html").values {
                for match in text.matches(of: #/data-t(?:-label|-placeholder)?="([a-zA-Z.]+)"/#) {
                    keys.insert(String(match.1))
                }
            }
            return keys
        }

        /// A text with a number needs a form for one and a form for many; the page takes the latter for every other number.
        ///
        /// On a phone of 320 points the state, its time and the buttons share a line: no language may need much more room
        /// than English.
        @Test func everyKeyIsInSixLanguagesWithTheSameFieldsAndItsPluralForms() throws {
            let english = try locale("en")
            func fields(_ text: String) -> Set<String> {
                Set(text.matches(of: #/\{\w+\}/#).map { String($0.output) })
            }
            let module = try #require(files["js/i18n.js"])
            for code in Self.codes {
                let texts = try locale(code)
                #expect(Set(texts.keys) == Set(english.keys) && module.contains("  \(code): \""), "\(code)")
                for (key, text) in texts {
                    #expect(!text.trimmingCharacters(in: .whitespaces).isEmpty, "\(code) \(key)")
                    #expect(fields(text) == fields(english[key] ?? ""), "\(code) \(key)")
                    #expect(text.count <= (english[key]?.count ?? 0) * 7 / 4 + 16, "\(code) \(key): \(text)")
                    guard text.contains("{count}") else { continue }
                    let base = key.split(separator: ".").dropLast().joined(separator: ".")
                    #expect(key == base + ".one" || key == base + ".other", "\(code) \(key)")
                    #expect(texts[base + ".one"] != nil && texts[base + ".other"] != nil, "\(code) \(key)")
                }
            }
            #expect(texts(".json").count == Self.codes.count)
        }

        @Test func everyKeyIsDefinedAndUsed() throws {
            var known = Set(try locale("en").keys)
            // Plural forms of one key.
            for key in known where key.hasSuffix(".one") {
                let base = String(key.dropLast(".one".count))
                known.subtract([key, base + ".other"])
                known.insert(base)
            }
            #expect(used.subtracting(known).isEmpty, "unknown: \(used.subtracting(known).sorted())")
            #expect(known.subtracting(used).isEmpty, "unused: \(known.subtracting(used).sorted())")
        }

        @Test func everyIconIsDefined() throws {
            let icons = try #require(files["icons.svg"]).matches(of: #/<symbol id="([\w-]+)"/#).map { String($0.1) }
            #expect(icons.count > 10)
            for (name, text) in texts(".html").merging(texts(".js"), uniquingKeysWith: { $1 }) {
                for match in text.matches(of: #/(?:data-icon="|icons\.svg#)([\w-]+)/#) {
                    #expect(icons.contains(String(match.1)), "\(name): \(match.1)")
                }
            }
        }

        @Test func theDocumentsContainNoUntranslatedText() throws {
            for (name, text) in texts(".html") {
                let content = text.replacing(#/<!doctype html>/#, with: "").replacing(#/<[^>]*>/#, with: "\n")
                let words = content.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
                #expect(
                    Set(words.filter { $0.contains(where: \.isLetter) }).isSubset(of: ["Steno", "A−", "A+"]), "\(name)")
            }
        }

        @Test func theScriptsContainNoSentences() {
            for (name, text) in texts(".js") {
                let code = text.replacing(#/(?m)^\s*(\/\/|\*|\/\*).*$/#, with: "")
                for match in code.matches(of: #/"([^"\\]*)"/#) {
                    let isSentence = match.1.contains(#/^[A-ZÀ-Þ]?[a-zà-ÿ]+( [a-zà-ÿ]+)+[.!?…]?$/#)
                    #expect(!isSentence || match.1.contains(" bar"), "\(name): \(match.1)")
                }
            }
        }

        @Test func theStylesSupportRightToLeftScripts() {
            for (name, text) in texts(".css") {
                let code = text.replacing(#/\/\*[^*]*\*\//#, with: "")
                let physical =
                    #/[{;]\s*(?:left:|right:|(?:margin|padding|border)-(?:left|right)|text-align:\s*(?:left|right))/#
                #expect(code.firstMatch(of: physical) == nil, "\(name)")
            }
        }

        @Test func allTextHasAContrastOfSevenToOneInEveryTheme() throws {
            let style = try #require(files["css/theme.css"])
            let blocks = style.split(separator: "}").map(String.init).filter { $0.contains("--ground") }
            #expect(blocks.count == 4)
            for block in blocks {
                var colors: [String: String] = [:]
                for match in block.matches(of: #/--([a-z-]+): (#[0-9a-f]+);/#) {
                    colors[String(match.1)] = String(match.2)
                }
                func ratio(_ text: String, _ ground: String) -> Double {
                    let values = [colors[text], colors[ground]].map { luminance($0 ?? "") }.sorted()
                    return (values[1] + 0.05) / (values[0] + 0.05)
                }
                for text in ["text", "hint", "volatile", "trouble"] {
                    for ground in ["ground", "paper", "raised"] {
                        #expect(ratio(text, ground) >= 7, "\(text) \(ground)")
                    }
                }
                #expect(ratio("on-accent", "accent") >= 7 && ratio("on-alert", "alert") >= 7)
                #expect(ratio("edge", "paper") >= 3)
            }
        }

        /// The relative luminance of WCAG 2.2.
        private func luminance(_ color: String) -> Double {
            var digits = Array(color.dropFirst())
            if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
            let parts = stride(from: 0, to: min(6, digits.count), by: 2).map { index in
                Double(Int(String(digits[index...index + 1]), radix: 16) ?? 0) / 255
            }
            let linear = parts.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
            return zip(linear, [0.2126, 0.7152, 0.0722]).map(*).reduce(0, +)
        }
    }
#endif
