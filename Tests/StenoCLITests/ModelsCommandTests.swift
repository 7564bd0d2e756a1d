#if os(Linux) || os(macOS)
    import Foundation
    import StenoBundledModel
    import StenoTestSupport
    import Testing

    @Suite struct ModelsCommandTests {
        private let tool = StenoTool()

        @Test func theBundledModelIsAlwaysListed() throws {
            let result = try tool.run("models", "list")
            #expect(result.code == 0)
            let lines = result.output.split(separator: "\n").map { $0.split(separator: #/ {2,}/#).map(String.init) }
            #expect(lines.map { $0[0] } == ["base", "moonshine-tiny"])
            #expect(lines.map { $0[1] } == ["bundled", "bundled"])
            #expect(lines[0][3...4] == ["99 languages", "MIT"] && lines[0][5].hasSuffix("whisper-base"))
            #expect(lines[1].last?.hasSuffix("moonshine-tiny") == true)
        }

        @Test func installedModelsAreListedFirst() throws {
            try tool.folder.write("", to: "mine/talker/model.bin")
            let result = try tool.run("models", "list", environment: ["STENO_MODELS": "mine"])
            #expect(result.output.hasPrefix("talker          installed "))
        }

        @Test func listsCanBeJSON() throws {
            #expect(try tool.run("models", "list", "--json").output.contains("\"origin\" : \"bundled\""))
            let available = try tool.run("models", "list", "--available", "--json")
            #expect(available.output.contains("\"repository\" : \"Systran/faster-whisper-small\""))
        }

        @Test func otherFilesAreNotRemoved() throws {
            let bundled = try tool.run("models", "remove", "base")
            #expect(bundled.code == 66 && bundled.errors.contains("comes with the program"))
            try tool.folder.write("", to: "mine/talker/model.bin")
            let own = try tool.run("models", "remove", "talker", environment: ["STENO_MODELS": "mine"])
            #expect(own.code == 66 && own.errors.contains("remove it yourself"))
            #expect(try tool.run("models", "list", environment: ["STENO_MODELS": "mine"]).output.hasPrefix("talker"))
        }

        @Test func theErrorForAnUnknownNameListsTheDownloads() throws {
            let result = try tool.run("models", "download", "gigantic")
            #expect(result.code == 66 && result.errors.contains("large-v3-turbo"))
        }

        @Test func theBestModelInRealTimeIsMeasuredOnce() throws {
            let recording = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav").path
            let result = try tool.run("transcribe", "--model", "auto", recording)
            #expect(result.code == 0 && result.output.contains("what you can do for your country"))
            #expect(try tool.folder.names().contains { $0.hasSuffix(".speeds.json") })
        }

        @Test func infoShowsShapeLanguagesPrecisionSizeAndFormat() throws {
            let result = try tool.run("models", "info", Fixtures.nano.path)
            #expect(result.code == 0)
            for part in ["CTranslate2", "encoder", "decoder", "mel bands", "languages", "MB", Fixtures.nano.path] {
                #expect(result.output.contains(part), "\(part)")
            }
        }
    }
#endif
