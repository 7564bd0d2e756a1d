#if Server
    import Foundation
    import StenoTestSupport
    import Testing

    @testable import StenoServer

    /// The page's own scripts with a mocked browser, server and clock.
    @Suite("The scripts of the captions page", .enabled(if: PageScript.canRun, "node is not installed"))
    struct PageScriptTests {
        /// Each script in Tests/Fixtures/page ends with what it reports; `// with feed` begins it with `shared/feed.js`.
        @Test(arguments: RecordedScript.all(in: "page"))
        func aScriptReportsWhatItsLastLineSays(_ script: RecordedScript) throws {
            let mark = "// reports ", with = "// with "
            let lines = try script.text().split(separator: "\n").filter { !$0.hasPrefix(mark) }
            let shared = try lines.filter { $0.hasPrefix(with) }.map { try PageScript.shared($0.dropFirst(with.count)) }
            let body = lines.joined(separator: "\n") + "\n"
            let output = try PageScript.output(shared.joined() + body)
            let (committed, played) = try script.compared(with: body + mark + output)
            #expect(played == committed)
        }
    }

    enum PageScript {
        /// The program that runs scripts without a browser.
        private static let node = InstalledTool.find("node")

        /// Whether node is installed, or must be.
        static var canRun: Bool { node != nil || mustRun }

        /// What begins several scripts.
        static func shared(_ name: some StringProtocol) throws -> String {
            try String(contentsOf: Fixtures.file("page/shared/\(name).js"), encoding: .utf8)
        }

        /// Runs a script in the mocked browser, with the page's own scripts, and returns what it reports.
        static func output(_ script: String) throws -> String {
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            // Without it, node would not treat the scripts as modules.
            try folder.write(#"{"type": "module"}"#, to: "package.json")
            for (name, file) in try CaptionsPage().files where name.hasSuffix(".js") {
                try folder.write(file.text, to: name)
            }
            let file = try folder.write(shared("browser") + script, to: "check.js")
            let process = Process(), output = Pipe()
            process.executableURL = node
            process.arguments = [file.path]
            process.standardOutput = output
            try process.run()
            let text = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return String(decoding: text, as: UTF8.self)
        }

        static func report(_ script: String) throws -> JSONValue { try JSONValue(parsing: output(script).utf8) }
    }
#endif
