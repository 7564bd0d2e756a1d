#if Server
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import StenoServerTool

    @Suite("QR codes")
    struct QRCodeTests {
        private struct Goldens: Decodable {
            struct Case: Decodable {
                let text: String
                let mask: Int?
                let rows: [String]
            }

            let cases: [Case]
        }

        private func rows(_ code: QRCode?) -> [String] {
            code?.modules.map { String($0.map { $0 ? "#" : "." }) } ?? []
        }

        @Test func codesMatchQrcodegen() throws {
            let file = Fixtures.folder.appendingPathComponent("qr-codes/codes.json")
            let goldens = try JSONDecoder().decode(Goldens.self, from: Data(contentsOf: file))
            #expect(goldens.cases.count > 20)
            for golden in goldens.cases {
                #expect(rows(QRCode(golden.text, mask: golden.mask)) == golden.rows, "\(golden.text)")
            }
        }

        @Test func aTextThatIsTooLongHasNoCode() {
            #expect(QRCode(String(repeating: "a", count: 213)) != nil)
            #expect(QRCode(String(repeating: "a", count: 214)) == nil)
        }

        @Test func theTerminalShowsTwoRowsPerLineWithAQuietZone() throws {
            let code = try #require(QRCode("https://127.0.0.1:8080/"))
            let lines = code.terminalText.split(separator: "\n")
            #expect(lines.count == (code.modules.count + 9) / 2)
            #expect(lines.first?.contains("█") == false)
        }
    }

    @Suite("The penalties of QR masks")
    struct QRPenaltyTests {
        /// Modules from rows of `#` (dark) and `.`.
        private func penalty(_ rows: [String]) -> Int { QRPenalty.of(rows.map { row in row.map { $0 == "#" } }) }

        /// As many rows as the line has modules, every second one inverted: only the lines themselves cost anything, since
        /// columns alternate and half of all modules are dark.
        private func penalty(ofLine line: String) -> Int {
            let inverse = String(line.map { $0 == "#" ? Character(".") : "#" })
            return penalty((0..<line.count).map { $0.isMultiple(of: 2) ? line : inverse })
        }

        @Test(arguments: [("####.#.#.#.#", 0), ("#####.#.#.#.", 3), ("######.#.#.#", 4), ("#########.#.", 7)])
        func aRunOfFiveCostsThreeAndEachFurtherModuleOne(_ line: String, _ cost: Int) {
            #expect(penalty(ofLine: line) == 12 * cost)
        }

        @Test(arguments: [("#.###.#....#", 40), ("#....#.###.#", 40), ("#.###.#...#.", 0)])
        func aFinderLikePatternCostsFortyNextToFourLightModules(_ line: String, _ cost: Int) {
            #expect(penalty(ofLine: line) == 6 * cost)
        }

        @Test func columnsCountLikeRows() {
            let rows = ["#####.#.#.#.", ".....#.#.#.#"]
            let grid = (0..<12).map { rows[$0 % 2].map { $0 } }
            let turned = (0..<12).map { column in String(grid.map { $0[column] }) }
            #expect(penalty(turned) == 12 * 3)
        }

        @Test func everySquareOfTwoByTwoCostsThree() {
            #expect(penalty(["##..", "##..", "..##", "..##"]) == 4 * 3)
            // Nine overlapping squares, and all modules dark.
            #expect(penalty(["####", "####", "####", "####"]) == 9 * 3 + 100)
        }

        @Test(arguments: [
            (["#.#.#", ".#.#.", "#.#.#", ".#.#.", "#.#.#"], 0), (["#.#", ".#.", "#.#"], 10),
            ([".#.", "#.#", ".#."], 10),
            (["##", "#."], 50), (["..", ".#"], 50), (["#"], 100), (["."], 100),
        ])
        func eachFivePercentAwayFromAHalfCostTen(_ rows: [String], _ cost: Int) { #expect(penalty(rows) == cost) }
    }
#endif
