#if Server
    import ArgumentParser
    import Foundation
    import Steno
    import StenoServer
    import StenoTestSupport
    import Testing

    @testable import StenoServerTool

    @Suite("steno captions")
    struct CaptionsTests {
        private func configuration(_ state: CaptionsState, _ arguments: String...) throws -> SpeechServer.Configuration
        {
            let command = try #require(try ServerCommand.parseAsRoot(["captions"] + arguments) as? Captions)
            return try command.serverConfiguration(state)
        }

        private func state() throws -> (CaptionsState, TemporaryFolder) {
            let folder = try TemporaryFolder()
            return (CaptionsState(folder: folder.url.appendingPathComponent("captions")), folder)
        }

        @Test func withoutOptionsItIsForThisMachineAndKeepsNothing() throws {
            let (state, folder) = try state()
            defer { withExtendedLifetime(folder) {} }
            let configuration = try configuration(state)
            #expect(configuration.host == "127.0.0.1")
            #expect(configuration.captions?.archive == nil)
            #expect(configuration.apiKeys.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: state.folder.path))
        }

        @Test func theLocalNetworkNeedsACertificateAndAKeyThatStays() throws {
            let (state, folder) = try state()
            defer { withExtendedLifetime(folder) {} }
            let first = try configuration(state, "--lan")
            #expect(first.host == "0.0.0.0")
            #expect(first.certificateFile == state.certificateFile)
            #expect(first.apiKeys.first?.count == 22)
            #expect(try configuration(state, "--lan").apiKeys == first.apiKeys)
            #expect(try configuration(state, "--lan", "--allow-anyone").apiKeys.isEmpty)
            #expect(throws: (any Error).self) { try configuration(state, "--host", "0.0.0.0") }
        }

        @Test func theKeyIsForItsOwnerAlone() throws {
            let (state, folder) = try state()
            defer { withExtendedLifetime(folder) {} }
            _ = try state.key()
            let file = state.folder.appendingPathComponent("key").path
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(CaptionsState.newKey() != CaptionsState.newKey())
        }

        @Test func aLanguageThatIsNoneIsRefused() throws {
            let (state, folder) = try state()
            defer { withExtendedLifetime(folder) {} }
            #expect(try configuration(state, "--language", "Turkish").captions?.language == "tr")
            #expect(throws: StenoError.self) { try configuration(state, "--language", "Klingon") }
            #expect(throws: (any Error).self) { try configuration(state, "--save-audio") }
        }

        @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs openssl"))
        func theCertificateIsMadeOnceAndHasAFingerprint() async throws {
            let (state, folder) = try state()
            defer { withExtendedLifetime(folder) {} }
            try await state.makeCertificate(for: ["localhost"], addresses: ["127.0.0.1"], searchPath: "/usr/bin")
            let fingerprint = try CertificateFingerprint.of(state.certificateFile)
            #expect(fingerprint.split(separator: ":").count == 32)
            let mode = try FileManager.default.attributesOfItem(atPath: state.privateKeyFile.path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
            try await state.makeCertificate(for: ["localhost"], addresses: ["127.0.0.1"], searchPath: "/usr/bin")
            #expect(try CertificateFingerprint.of(state.certificateFile) == fingerprint)
        }

        @Test func withoutOpensslTheErrorSaysWhatToDo() async throws {
            let (state, folder) = try state()
            defer { withExtendedLifetime(folder) {} }
            await #expect {
                try await state.makeCertificate(for: [], addresses: [], searchPath: "/nowhere")
            } throws: {
                ($0 as? StenoError)?.message.contains("--tls-cert") == true
            }
        }

        @Test func theAddressHasTheKeyInItsFragment() {
            #expect(
                PageAddress.all("https://0.0.0.0:8080/v1", port: 8080, hosts: ["192.168.1.2", "fd00::1"], key: "k") == [
                    "https://192.168.1.2:8080/#key=k", "https://[fd00::1]:8080/#key=k",
                ])
        }
    }
#endif
