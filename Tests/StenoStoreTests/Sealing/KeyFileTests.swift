#if Store
    import Foundation
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// Keys in files.
    struct KeyFileTests {
        private let folder = TemporaryFolder.ofSuite()
        private var file: URL { folder.url.appendingPathComponent("key") }

        @Test func aKeyFileIsCreatedOnceAndOnlyItsOwnerCanReadIt() throws {
            let key = try StoreKey.file(file)
            #expect(try StoreKey.file(file).bytes == key.bytes && key.bytes?.count == 32)
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
            #expect(try folder.names() == ["key"])
        }

        @Test func aKeyFileThatOthersCanReadIsRefused() async throws {
            _ = try StoreKey.file(file)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            await expectError(.invalidOption, "chmod 600") { _ = try StoreKey.file(file) }
        }

        @Test(.timeLimit(.minutes(15))) func aNamedPipeIsRefusedAndNotWaitedFor() async throws {
            #expect(mkfifo(file.path, 0o600) == 0)
            await expectError(.outputFailed, "is not a file") { _ = try StoreKey.file(file) }
        }

        @Test func invalidKeysAreRefused() async throws {
            try Data("too short".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            await expectError(.invalidOption, "32-byte key") { _ = try StoreKey.file(file) }
            await expectError(.outputFailed) { _ = try StoreKey.file(folder.url) }
            let missing = folder.url.appendingPathComponent("missing")
            await expectError(.outputFailed) { _ = try StoreKey.file(missing, creating: false) }
            await expectError(.outputFailed) { _ = try StoreKey.file(missing.appendingPathComponent("key")) }
            await expectError(.invalidOption) { _ = try StoreKey.bytes([1, 2, 3]) }
            #expect(try folder.names() == ["key"])
        }
    }
#endif
