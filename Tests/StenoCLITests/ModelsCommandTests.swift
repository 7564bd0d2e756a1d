#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    @Suite struct ModelsCommandTests {
        private let tool: StenoTool

        init() throws { tool = try StenoTool() }

        @Test func theBundledModelIsAlwaysListed() throws {
            let result = try tool.run("models", "list")
            #expect(result.code == 0)
            #expect(result.output.hasPrefix("base  bundled "))
            #expect(result.output.contains("whisper-base"))
        }

        @Test func installedModelsAreListedFirst() throws {
            try tool.folder.write("", to: "mine/talker/model.bin")
            let result = try tool.run("models", "list", environment: ["STENO_MODELS": "mine"])
            #expect(result.output.hasPrefix("talker  installed "))
        }

        @Test func infoSaysShapeLanguagesPrecisionSizeAndForm() throws {
            let result = try tool.run("models", "info", Fixtures.nano.path)
            #expect(result.code == 0)
            for part in ["CTranslate2", "encoder", "decoder", "mel bands", "languages", "MB", Fixtures.nano.path] {
                #expect(result.output.contains(part), "\(part)")
            }
        }
    }
#endif
