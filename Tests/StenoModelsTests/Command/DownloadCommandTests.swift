import Foundation
import StenoBundledModel
import StenoTestSupport
import Testing

@testable import StenoModelStore

/// The command, with a hub that has Whisper base.
@Suite struct DownloadCommandTests {
    private let server: HubServer
    private let folder: TemporaryFolder
    private let recording: String

    init() throws {
        let model = try BundledModel.folder
        let files = ["config.json", "model.bin", "tokenizer.json", "vocabulary.json", "vocabulary.txt"].filter {
            FileManager.default.fileExists(atPath: model.appendingPathComponent($0).path)
        }
        server = try HubServer(
            files.map {
                HubServer.File($0, try Data(contentsOf: model.appendingPathComponent($0)), isLarge: $0 == "model.bin")
            })
        folder = try TemporaryFolder()
        recording = try BundledModel.samples.appendingPathComponent("inaugural-1961.wav").path
    }

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
        let missing = try steno(["transcribe", "--model", name, recording])
        #expect(missing.code == 66 && missing.errors.contains("steno models download \(name)"))
        let download = try steno(["models", "download", name])
        #expect(download.code == 0, "\(download.errors)")
        #expect(download.output.contains("\(name) is installed:"))
        #expect(try steno(["models", "download", name]).output.contains("is on this machine"))
        let list = try steno(["models", "list"]).output
        #expect(list.split(separator: "\n").contains { $0.hasPrefix(name + " ") && $0.contains(" installed ") })
        #expect(try steno(["models", "verify", name]).output.contains("intact (\(server.files.count) files"))
        #expect(try steno(["models", "size"]).output.contains(name))
        let text = try steno(["transcribe", "--model", name, recording])
        #expect(text.output.contains("what you can do for your country"))
        let remove = try steno(["models", "remove", name])
        #expect(remove.code == 0 && remove.output.contains("removed"))
        #expect(try steno(["models", "verify", name]).code == 66)
        #expect(server.sentBytes == server.files.map(\.content.count).reduce(0, +))
    }

    @Test func onlyErrorsAreWrittenOnRequest() throws {
        let download = try steno(["models", "download", "--quiet", HubServer.repository])
        #expect(download.code == 0 && download.output.isEmpty && download.errors.isEmpty)
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
        let text = try steno(["transcribe", "--model", name, recording], isolated: true)
        #expect(text.output.contains("what you can do for your country"))
        let missing = try steno(["transcribe", "--model", "small", recording], isolated: true)
        #expect(missing.code == 66 && missing.errors.contains("steno models download small"))
    }
}
