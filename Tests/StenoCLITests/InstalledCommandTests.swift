#if os(Linux) || os(macOS)
    import Foundation
    import StenoBundledModel
    import StenoTestSupport
    import Testing

    /// The command outside the folder it was built in.
    @Suite struct InstalledCommandTests {
        private let tool = StenoTool()
        private let speech = Fixtures.file("sounds/tomorrow.wav").path

        /// A copy of the program, with a link to each resource folder next to it.
        private func install(_ isResource: (String) -> Bool) throws -> URL {
            let built = try #require(StenoTool.executable)
            return try tool.folder.install(built, as: "lib/steno/steno", linking: isResource)
        }

        /// Like `make install`: the command is a link to the program, which has its resources next to it.
        @Test func resourcesAreFoundThroughALinkToTheProgram() throws {
            let program = try install { $0.hasPrefix("Steno_") }
            let link = tool.folder.url.appendingPathComponent("bin")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: program)
            let filtered = try tool.run(
                program: link, "transcribe", speech, "--language", "en", "--vad-filter", environment: StenoTool.nano)
            #expect(filtered.output == "Tomorrow is Friday.\n" && filtered.errors == "")
            let models = try tool.run(program: link, "models", "list")
            #expect(models.output.contains("bundled") && models.output.contains("lib/steno/Steno_StenoBundledModel."))
        }

        /// `Bundle.module` would end the process here.
        @Test func aProgramCopiedWithoutItsResourcesSaysWhatIsMissing() throws {
            let program = try install { _ in false }
            let filtered = try tool.run(
                program: program, "transcribe", speech, "--vad-filter", environment: StenoTool.nano)
            #expect(filtered.code == 1)
            #expect(filtered.errors.contains("Install Steno_StenoVoiceActivity.resources next to the program"))
            for arguments in [["transcribe", speech], ["models", "info", "base"]] {
                let result = try tool.start(program: program, arguments).wait()
                #expect(result.code == 66)
                #expect(result.errors.contains("Steno_StenoBundledModel.resources, next to the program"), "\(result)")
            }
            #expect(try tool.run(program: program, "models", "list").output == "")
            let plain = try tool.run(
                program: program, "transcribe", speech, "--language", "en", environment: StenoTool.nano)
            #expect(plain.output == "Tomorrow is Friday.\n", "the user's own model needs none of the resources")
        }
    }
#endif
