#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoServer
    import StenoTestSupport
    import Testing

    @testable import StenoServerTool

    @Suite("steno captions") struct CaptionsTests {
        private let folder = TemporaryFolder.ofSuite()
        private var state: CaptionsState { CaptionsState(folder: folder.url.appendingPathComponent("captions")) }

        private func configuration(_ arguments: String...) throws -> SpeechServer.Configuration {
            try configuration(arguments)
        }

        private func configuration(_ arguments: [String]) throws -> SpeechServer.Configuration {
            let command = try #require(try ServerCommand.parseAsRoot(["captions"] + arguments) as? Captions)
            return try command.serverConfiguration(state)
        }

        /// The message that refuses the arguments.
        private func refusal(_ arguments: String...) -> String {
            let error = #expect(throws: (any Error).self) { try configuration(arguments) }
            return (error as? StenoError)?.message ?? error.map { ServerCommand.message(for: $0) } ?? ""
        }

        private func mode(_ file: URL) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        }

        @Test func byDefaultItListensLocallyAndSavesNothing() throws {
            let configuration = try configuration()
            #expect(configuration.host == "127.0.0.1" && configuration.apiKeys.isEmpty)
            #expect(configuration.captions?.archive == nil && configuration.captions?.speakers == nil)
            #expect(!FileManager.default.fileExists(atPath: state.folder.path))
            #expect(try self.configuration("--speakers").captions?.speakers != nil)
        }

        @Test func theLocalNetworkNeedsACertificateAndAPersistentKey() throws {
            let first = try configuration("--lan")
            #expect(first.host == "0.0.0.0" && first.apiKeys.first?.count == 22)
            #expect(first.certificateFile == state.certificate.file)
            #expect(try configuration("--lan").apiKeys == first.apiKeys)
            #expect(try configuration("--lan", "--allow-anyone").apiKeys.isEmpty)
            #expect(refusal("--host", "0.0.0.0").contains("--api-key-file"))
            // It replaces a loopback host.
            #expect(try configuration("--lan", "--host", "localhost").host == "0.0.0.0")
            #expect(try configuration("--lan", "--host", "::1").host == "::")
        }

        @Test(arguments: [["--lan"], ["--lan", "--host", "192.168.7.1"], ["--host", "0.0.0.0"]])
        func wyomingNeedsPermissionOnTheNetwork(_ options: [String]) throws {
            let keys = folder.url.appendingPathComponent("keys")
            try AtomicFile.write("0123456789abcdef\n", to: keys, permissions: 0o600)
            let all = options + ["--wyoming", "10300"]
            let error = #expect(throws: StenoError.self) { try configuration(all + ["--api-key-file", keys.path]) }
            #expect(error?.message.contains("The Wyoming protocol has no keys") == true)
            #expect(try configuration(all + ["--allow-anyone"]).wyomingPort == 10_300)
            // Opening Wyoming leaves the page its key.
            let open = try configuration(all + ["--allow-wyoming", "--api-key-file", keys.path])
            #expect(open.wyomingPort == 10_300 && open.apiKeys == ["0123456789abcdef"])
            let lan = try configuration("--lan", "--wyoming", "10300", "--allow-wyoming")
            #expect(lan.wyomingPort == 10_300 && lan.apiKeys.count == 1)
            #expect(try configuration(["--wyoming", "10300"]).wyomingPort == 10_300)
        }

        @Test func onlyTheOwnerCanReadTheKey() throws {
            let key = try state.pageKey()
            let file = state.folder.appendingPathComponent("key")
            #expect(try mode(file) == 0o600)
            #expect(try state.pageKey() == key)
            #expect(try FileManager.default.contentsOfDirectory(atPath: state.folder.path) == ["key"])
            chmod(file.path, 0o644)
            #expect(try state.pageKey() != key, "others could have read it")
            #expect(try mode(file) == 0o600)
        }

        @Test func wrongOptionsAreRefused() throws {
            #expect(try configuration("--language", "Turkish").captions?.language == "tr")
            #expect(refusal("--language", "Klingon").contains("“Klingon”"))
            #expect(refusal("--save-audio").contains("--save-audio needs --save-history."))
        }

        @Test(.enabled(if: InstalledTool.find("openssl") != nil || mustRun, "openssl is not installed"))
        func theCertificateIsRenewedWhenNeeded() async throws {
            let certificate = state.certificate
            func fingerprint(_ hosts: [String], in days: Double = 0) async throws -> String {
                try await certificate.make(
                    for: hosts, searchPath: ProcessInfo.processInfo.environment["PATH"] ?? "",
                    now: Date().addingTimeInterval(days * 86_400))
                return try CertificateFingerprint.of(certificate.file)
            }
            let first = try await fingerprint(["localhost", "127.0.0.1"])
            #expect(first.split(separator: ":").count == 32)
            #expect(try await fingerprint(["localhost"]) == first)
            let names = Set(try FileManager.default.contentsOfDirectory(atPath: state.folder.path))
            #expect(names == ["certificate.pem", "private-key.pem"])
            for file in [certificate.file, certificate.privateKeyFile] { #expect(try mode(file) == 0o600) }
            let second = try await fingerprint(["192.168.7.1", "fd00::1"])
            #expect(second != first)
            #expect(try await fingerprint(["localhost", "fd00::1"]) == second, "earlier names stay")
            try Data("none".utf8).write(to: certificate.privateKeyFile)
            let third = try await fingerprint(["localhost"])
            #expect(third != second, "the key could not be read")
            #expect(try await fingerprint(["localhost"], in: 360) == third)
            #expect(try await fingerprint(["localhost"], in: 370) != third, "it is valid for less than a month")
        }

        @Test func withoutOpensslTheErrorSaysWhatToDo() async throws {
            await #expect { try await state.certificate.make(for: ["localhost"], searchPath: "/nowhere") } throws: {
                ($0 as? StenoError)?.message.contains("--tls-cert") == true
            }
        }

        @Test func theCertificateCoversEveryPrintedAddress() throws {
            var configuration = SpeechServer.Configuration()
            for host in ["0.0.0.0", "fd00::1", "192.168.7.1"] {
                configuration.host = host
                let printed = PageAddress.hosts(configuration)
                #expect(!printed.isEmpty && Set(printed).isSubset(of: PageAddress.certified(printed)))
            }
            // With your own certificate, the allowed name is printed.
            let name = "captions.example.org", host = configuration.host
            for (allowed, printed) in [([name], [name, host]), ([host], [host]), ([], [host])] {
                #expect(PageAddress.printed(configuration, named: allowed) == printed)
            }
            // The key is in the fragment.
            let addresses = PageAddress.all(
                "https://0.0.0.0:8080/v1", port: 8080, hosts: ["192.168.1.2", "fd00::1"], key: "k")
            #expect(addresses == ["https://192.168.1.2:8080/#key=k", "https://[fd00::1]:8080/#key=k"])
        }
    }

    @Suite("QR codes") struct QRCodeTests {
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
            #expect(lines.count == (code.modules.count + 9) / 2 && lines.first?.contains("█") == false)
        }
    }

    @Suite("The penalties of QR masks") struct QRPenaltyTests {
        /// Modules from rows of `#` (dark) and `.`.
        private func penalty(_ rows: [String]) -> Int { QRPenalty.of(rows.map { row in row.map { $0 == "#" } }) }

        /// As many rows as the line has modules, every second one inverted: only the lines themselves cost anything, since
        /// columns alternate and half of all modules are dark.
        private func penalty(ofLine line: String) -> Int {
            let inverse = String(line.map { $0 == "#" ? Character(".") : "#" })
            return penalty((0..<line.count).map { $0.isMultiple(of: 2) ? line : inverse })
        }

        /// A run of five costs three and each further module one; a finder-like pattern next to four light modules forty.
        @Test(arguments: [
            ("####.#.#.#.#", 0), ("#####.#.#.#.", 12 * 3), ("######.#.#.#", 12 * 4), ("#########.#.", 12 * 7),
            ("#.###.#....#", 6 * 40), ("#....#.###.#", 6 * 40), ("#.###.#...#.", 0),
        ])
        func runsAndFinderLikePatternsCost(_ line: String, _ cost: Int) { #expect(penalty(ofLine: line) == cost) }

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
