#if Server && (os(Linux) || os(macOS))
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// Which history `steno history` opens, and with which key.
    struct HistoryArgumentCommandTests {
        private let tool = HistoryTool()
        private var other: URL { tool.folder.url.appendingPathComponent("other") }

        @Test func anotherFolderCanBeNamed() async throws {
            try await TranscriptStore.open(other).add([" Elsewhere."], title: "Another one")
            try await TranscriptStore.open(tool.history).add([" Here."], title: "The usual one")
            let named = try tool.history("list", "--history", other.path)
            #expect(named.code == 0 && named.output.contains("Another one") && !named.output.contains("usual"))
            #expect(try !tool.history("list").output.contains("Another one"))
            let missing = try tool.history("list", "--history", other.path + "-missing")
            #expect(missing.code == 1 && missing.errors.contains(other.path + "-missing"))
        }

        #if os(Linux)
            /// From standard input if there is no terminal.
            @Test func thePassphraseIsRequested() async throws {
                try await TranscriptStore.open(other, key: .passphrase("open sesame")).add([" Secret."], title: "Plans")
                func list(_ passphrase: String) throws -> ProgramResult {
                    try tool.shell(
                        "printf '%s\\n' \"$2\" | setsid -w \"$1\" history list --history \"$3\" --passphrase",
                        passphrase, other.path)
                }
                let right = try list("open sesame")
                #expect(right.code == 0 && right.output.contains("Plans") && right.errors.contains("Passphrase: "))
                let wrong = try list("close sesame")
                #expect(wrong.code == 1 && !wrong.output.contains("Plans"))
                let both = try tool.history("list", "--passphrase", "--key-file", "key")
                #expect(both.code == 64 && both.errors.contains("cannot be combined"))
            }
        #endif
    }
#endif
