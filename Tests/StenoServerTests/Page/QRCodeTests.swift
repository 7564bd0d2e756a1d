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
#endif
