import Foundation
import GRDB
import Steno
import Testing

@testable import StenoStore

/// A history that nobody reads without its key.
struct EncryptionTests {
    private let folder = HistoryFolder()
    private let key = StoreKey.random()

    @Test func noFileHasTheText() async throws {
        let store = try await folder.store(key)
        let writer = try await store.begin(title: "Xanadu", source: "telephone")
        try await writer.append([.saying(" The xylophone plays.", 0)])
        try await writer.setPartial(" and the zither")
        #expect(try await store.search("xylophone").map(\.segment) == [0])
        for secret in ["xylophone", "Xanadu", "telephone", "zither"] { #expect(try !folder.contains(secret)) }
        let again = try await folder.store(key)
        #expect(try await again.transcript(of: writer.id).text == "The xylophone plays.")
        #expect(try await again.partialText(of: writer.id) == " and the zither")
        #expect(try await again.session(writer.id).title == "Xanadu")
    }

    @Test func aWrongKeyIsAnError() async throws {
        try await folder.store(key).add([" Secret"])
        for wrong in [StoreKey.random(), .none, .passphrase("guess")] {
            await #expect {
                try await folder.store(wrong)
            } throws: {
                ($0 as? StenoError)?.code == .wrongKey
            }
        }
        let open = HistoryFolder()
        try await open.store().add([" Open"])
        await #expect { try await open.store(key) } throws: { "\($0)".contains("not encrypted") }
    }

    @Test func aPassphraseOpensWhatItClosed() async throws {
        let id = try await folder.store(.passphrase("correct horse")).add([" Staple."])
        #expect(try await folder.store(.passphrase("correct horse")).transcript(of: id).text == "Staple.")
        await #expect { try await folder.store(.passphrase("correct house")) } throws: {
            ($0 as? StenoError)?.code == .wrongKey
        }
    }

    @Test func aKeyFileIsMadeOnceForItsOwnerAlone() throws {
        try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        let file = folder.url.appendingPathComponent("key")
        let key = try StoreKey.file(file)
        #expect(try StoreKey.file(file).bytes == key.bytes && key.bytes?.count == 32)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        #expect { try StoreKey.file(file) } throws: { "\($0)".contains("chmod 600") }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try Data("too short".utf8).write(to: file)
        #expect { try StoreKey.file(file) } throws: { ($0 as? StenoError)?.code == .invalidOption }
        #expect(throws: StenoError.self) { try StoreKey.bytes([1, 2, 3]) }
    }

    @Test func aChangedBitIsDetected() async throws {
        let store = try await folder.store(key)
        let id = try await store.add([" First.", " Second."])
        try await store.write { database in
            var row = try #require(try SegmentRow.filter(Column("number") == 1).fetchOne(database))
            row.content[row.content.count / 2] ^= 1
            try row.update(database)
        }
        await #expect { try await store.segments(of: id) } throws: { ($0 as? StenoError)?.code == .historyDamaged }
        // The other texts can still be found.
        #expect(try await store.search("first").count == 1)
    }

    @Test func textsCannotBeExchanged() async throws {
        let store = try await folder.store(key)
        let id = try await store.add([" Guilty.", " Innocent."])
        try await store.write { database in
            var rows = try SegmentRow.order(Column("number")).fetchAll(database)
            (rows[0].content, rows[1].content) = (rows[1].content, rows[0].content)
            for row in rows { try row.update(database) }
        }
        await #expect { try await store.segments(of: id) } throws: { ($0 as? StenoError)?.code == .historyDamaged }
    }
}
