#if os(Linux) || os(macOS)
    import Foundation
    import StenoTestSupport
    import Testing

    /// `--speakers` and `steno speakers`, with the bundled networks.
    @Suite(.serialized) struct SpeakerCommandTests {
        private let tool = StenoTool()
        private let speech = Fixtures.bundledSample("inaugural-1961.wav")
        private var environment: [String: String] {
            ["STENO_MODEL": Fixtures.nano.path, "STENO_SPEAKERS": tool.url("voices.json").path]
        }

        private func steno(_ arguments: String...) throws -> StenoTool.Result {
            try tool.start(arguments, environment: environment).wait()
        }

        @Test func oneSpeakerHasTheEnrolledName() throws {
            let labelled = try steno("transcribe", speech.path, "--language", "en", "--speakers", "auto")
            #expect(labelled.code == 0, "\(labelled.errors)")
            let lines = labelled.output.split(separator: "\n")
            #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("Speaker 1: ") }, "\(labelled.output)")

            let none = try steno("speakers", "list")
            #expect(none.code == 0 && none.output == "")
            let enrolled = try steno("speakers", "enroll", "Ada", speech.path)
            #expect(enrolled.code == 0 && enrolled.output.hasPrefix("Ada is enrolled"), "\(enrolled.errors)")
            #expect(try steno("speakers", "list").output.hasPrefix("Ada"))
            let named = try steno("transcribe", speech.path, "--language", "en", "--speakers", "1", "-f", "rttm")
            #expect(named.output.hasPrefix("SPEAKER recording 1 ") && named.output.contains(" Ada <NA>"))
            #expect(try steno("speakers", "remove", "Ada").code == 0)
            let gone = try steno("speakers", "remove", "Ada")
            #expect(gone.code == 64 && gone.errors.contains("No voice called Ada is enrolled"))
        }

        @Test func liveTextHasSpeakers() throws {
            let result = try steno(
                "live", "--input", speech.path, "--pace", "fast", "--format", "text", "--language", "en", "--speakers")
            // The first words can be final before there is enough speech for a label.
            #expect(result.code == 0 && result.output.contains("Speaker 1: "), "\(result.errors)")
        }
    }
#endif
