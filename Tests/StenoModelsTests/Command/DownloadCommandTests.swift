import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import StenoModelStore

/// The command, with a hub that has the nano model.
@Suite struct DownloadCommandTests {
    private let server: HubServer
    private let folder = TemporaryFolder.ofSuite()
    private let transcribe = ["transcribe", "--language", "en", Fixtures.file("sounds/tomorrow.wav").path]

    init() throws { server = try .nano() }

    /// - Parameter isolated: Whether it has no network, not even this machine's.
    private func steno(_ arguments: [String], isolated: Bool = false) throws -> ProgramResult {
        let steno = try #require(BuiltTool.executable("steno"))
        return try folder.start(
            isolated ? Self.shell : steno, (isolated ? ["-c", Self.withoutNetwork, steno.path] : []) + arguments,
            environment: ["HF_ENDPOINT": server.endpoint.absoluteString, "HF_TOKEN": "hf_SECRETTOKEN"]
        ).wait()
    }

    private static let shell = URL(fileURLWithPath: "/bin/sh")
    /// Runs `$0` in its own network namespace, which root can create, and so can anybody with permission for a user
    /// namespace.
    private static let withoutNetwork = "exec unshare -rn \"$0\" \"$@\""
    private static let canIsolate =
        (try? TemporaryFolder().start(shell, ["-c", withoutNetwork, "true"]).wait())?.code == 0

    @Test func aModelIsDownloadedUsedVerifiedAndRemoved() throws {
        let name = HubServer.repository
        let missing = try steno(transcribe + ["--model", name])
        #expect(missing.code == 66 && missing.errors.contains("steno models download \(name)"))
        let download = try steno(["models", "download", name])
        #expect(download.code == 0, "\(download.errors)")
        #expect(download.output.contains("\(name) is installed:"))
        #expect(try steno(["models", "download", name]).output.contains("is on this machine"))
        let list = try steno(["models", "list"]).output
        #expect(list.split(separator: "\n").contains { $0.hasPrefix(name + " ") && $0.contains(" installed ") })
        #expect(try steno(["models", "verify", name]).output.contains("intact (\(server.files.count) files"))
        #expect(try steno(["models", "size"]).output.contains(name))
        #expect(try steno(transcribe + ["--model", name]) == .printed("Tomorrow is Friday.\n"))
        #expect(server.sentBytes == server.files.map(\.content.count).reduce(0, +))
        let remove = try steno(["models", "remove", name])
        #expect(remove.code == 0 && remove.output.contains("removed"))
        #expect(try steno(["models", "verify", name]).code == 66)
        #expect(try steno(["models", "download", "--quiet", name]) == .printed())
    }

    @Test func aPasswordInAnAddressIsNotRepeated() throws {
        for place in ["http://example.com/a.bin", "https:///a.bin"] {
            let address = place.replacing("://", with: "://ann:secret@", maxReplacements: 1)
            let result = try steno(["models", "download", address])
            #expect(result.code != 0 && result.errors.contains("/a.bin") && !result.errors.contains("secret"))
        }
    }

    @Test(.enabled(if: canIsolate, "the network cannot be taken away here"))
    func installedModelsWorkWithoutANetwork() throws {
        let name = HubServer.repository
        #expect(try steno(["models", "download", name]).code == 0)
        for arguments in [
            ["list"], ["list", "--available"], ["size"], ["verify"], ["info", name], ["download", name],
        ] {
            let result = try steno(["models"] + arguments, isolated: true)
            #expect(result.code == 0, "\(arguments): \(result.errors)")
        }
        #expect(try steno(transcribe + ["--model", name], isolated: true) == .printed("Tomorrow is Friday.\n"))
        let missing = try steno(transcribe + ["--model", "small"], isolated: true)
        #expect(missing.code == 66 && missing.errors.contains("steno models download small"))
    }
}
