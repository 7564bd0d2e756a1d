import Foundation
import GRDB
import Steno

/// What a history knows of its own encryption: the salt of its key, and a value by which a wrong key is recognised.
enum StoreIdentity {
    private static let place = "identity"
    private static let text = "Steno history"

    /// The sealer of a history; the first one that opens it decides whether it is encrypted.
    ///
    /// - Throws: `StenoError.wrongKey`.
    static func sealer(for key: StoreKey, in pool: DatabasePool) async throws -> Sealer {
        let salt = try await setting("salt", in: pool, else: Data((StoreKey.random().bytes ?? []).prefix(16)))
        let sealer = try Sealer(key, salt: salt)
        let known = try await setting("identity", in: pool, else: sealer.seal(text, at: place))
        do {
            guard try sealer.open(known, as: String.self, at: place) == text else { throw wrongKey(key, known) }
        } catch {
            throw wrongKey(key, known)
        }
        return sealer
    }

    /// A setting, which is stored if it is not there yet.
    private static func setting(_ name: String, in pool: DatabasePool, else value: Data) async throws -> Data {
        do {
            return try await pool.write { database in
                try database.execute(sql: "INSERT OR IGNORE INTO setting VALUES (?, ?)", arguments: [name, value])
                return try Data.fetchOne(database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
                    ?? value
            }
        } catch {
            throw StoreFailure.explain(error, "The history cannot be opened")
        }
    }

    private static func wrongKey(_ key: StoreKey, _ known: Data) -> StenoError {
        let isEncrypted = known.first == 1
        return switch (key.kind, isEncrypted) {
        case (.none, _): StenoError(.wrongKey, "The history is encrypted. Open it with its key or passphrase.")
        case (_, false):
            StenoError(
                .wrongKey,
                "The history is not encrypted. Open it without a key, or name another folder for an encrypted one.")
        default: StenoError(.wrongKey, "The key or passphrase is not that of this history.")
        }
    }
}
