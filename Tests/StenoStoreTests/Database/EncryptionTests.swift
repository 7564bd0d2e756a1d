#if Store
    import Crypto
    import Foundation
    import GRDB
    import Steno
    import StenoTestSupport
    import Testing

    @testable import StenoStore

    /// Histories that cannot be read without their key.
    struct EncryptionTests {
        private let folder = HistoryFolder()
        private let key = StoreKey.random()

        @Test func noFileHasTheText() async throws {
            let store = try await folder.store(key)
            let writer = try await store.begin(title: "Xanadu", source: "telephone")
            try await writer.append([.saying(" The xylophone plays.", 0)])
            try await writer.setPartial(" and the zither")
            #expect(try await store.search("xylophone").map(\.segment) == [0])
            try await store.edit(0, of: writer.id, " The marimba plays.")
            for secret in ["xylophone", "marimba", "Xanadu", "telephone", "zither"] {
                #expect(try !folder.contains(secret))
            }
            let again = try await folder.store(key)
            #expect(again.isEncrypted)
            #expect(try await again.segments(of: writer.id)[0].recognizedText == " The xylophone plays.")
            #expect(try await again.partialText(of: writer.id) == " and the zither")
            #expect(try await again.session(writer.id).title == "Xanadu")
        }

        @Test func aWrongKeyIsAnError() async throws {
            try await folder.store(key).add([" Secret"])
            for wrong in [StoreKey.random(), .none, .passphrase("guess")] {
                await expectError(.wrongKey) { _ = try await folder.store(wrong) }
            }
            let open = HistoryFolder()
            try await open.store().add([" Open"])
            await expectError(.wrongKey, "not encrypted") { _ = try await open.store(key) }
        }

        @Test func aPassphraseOpensTheHistoryItEncrypted() async throws {
            let id = try await folder.store(.passphrase("correct h\u{F6}rse")).add([" Staple."])
            // The same letter, typed as two characters.
            #expect(try await folder.store(.passphrase("correct ho\u{308}rse")).transcript(of: id).text == "Staple.")
            await expectError(.wrongKey) { _ = try await folder.store(.passphrase("correct house")) }
            let other = HistoryFolder()
            await expectError(.invalidOption) { _ = try await other.store(.passphrase("")) }
        }

        /// The second test vector of RFC 7914, section 12; a shorter key is a prefix of a longer one.
        @Test func theKeyIsDerivedByScrypt() throws {
            let derivation = KeyDerivation(cost: 10, blockSize: 8, parallelism: 16, salt: Data("NaCl".utf8))
            let key = try derivation.key(from: "password").withUnsafeBytes { Array($0) }
            let hex = key.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            #expect(hex == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162")
            #expect(throws: StenoError.self) { try KeyDerivation(Data([40, 8, 1] + Array(repeating: 0, count: 16))) }
            #expect(throws: StenoError.self) { try KeyDerivation(Data([15, 8])) }
        }

        @Test func aChangedBitAndSwappedTextsAreDetected() async throws {
            let store = try await folder.store(key)
            let changed = try await store.add([" First.", " Second."])
            try await store.write { database in
                var row = try #require(try SegmentRow.filter(Column("number") == 1).fetchOne(database))
                row.content[row.content.count / 2] ^= 1
                try row.update(database)
            }
            await expectError(.historyDamaged, "segment 1") { _ = try await store.segments(of: changed) }
            // The other texts can still be found.
            #expect(try await store.search("first").count == 1)
            let swapped = try await store.add([" Guilty.", " Innocent."])
            try await store.write { database in
                var rows = try SegmentRow.order(Column("id").desc).limit(2).fetchAll(database)
                (rows[0].content, rows[1].content) = (rows[1].content, rows[0].content)
                for row in rows { try row.update(database) }
            }
            await expectError(.historyDamaged) { _ = try await store.segments(of: swapped) }
        }
    }

    struct KeyFileTests {
        private let folder = TemporaryFolder.ofSuite()
        private var file: URL { folder.url.appendingPathComponent("key") }

        @Test func aKeyFileIsCreatedOnceAndOnlyItsOwnerCanReadIt() throws {
            let key = try StoreKey.file(file)
            #expect(try StoreKey.file(file).bytes == key.bytes && key.bytes?.count == 32)
            #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o600)
            #expect(try folder.names() == ["key"])
        }

        @Test(.timeLimit(.minutes(15))) func anythingButAPrivateKeyFileIsRefused() async throws {
            _ = try StoreKey.file(file)
            chmod(file.path, 0o644)
            await expectError(.invalidOption, "chmod 600") { _ = try StoreKey.file(file) }
            try Data("too short".utf8).write(to: file)
            chmod(file.path, 0o600)
            await expectError(.invalidOption, "32-byte key") { _ = try StoreKey.file(file) }
            await expectError(.outputFailed) { _ = try StoreKey.file(folder.url) }
            let missing = folder.url.appendingPathComponent("missing")
            await expectError(.outputFailed) { _ = try StoreKey.file(missing, creating: false) }
            await expectError(.outputFailed) { _ = try StoreKey.file(missing.appendingPathComponent("key")) }
            await expectError(.invalidOption) { _ = try StoreKey.bytes([1, 2, 3]) }
            #expect(try folder.names() == ["key"])
            // A named pipe is not waited for.
            #expect(mkfifo(missing.path, 0o600) == 0)
            await expectError(.outputFailed, "is not a file") { _ = try StoreKey.file(missing) }
        }
    }
#endif
