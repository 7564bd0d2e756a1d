#if Store
    import Foundation
    import GRDB
    import Steno

    /// The encryption parameters of a history: how its key is derived, and a value that reveals a wrong key.
    enum StoreIdentity {
        private static let place = "identity"
        private static let text = "Steno history"

        /// The sealer of a history; the first one that opens it decides whether it is encrypted.
        ///
        /// It blocks while it derives a key from a passphrase.
        /// - Throws: `StenoError`: `wrongKey`, `invalidOption` for an empty passphrase.
        static func sealer(for key: StoreKey, in pool: DatabasePool) throws -> Sealer {
            do {
                let derivation = try setting("scrypt", in: pool, else: KeyDerivation.random().bytes)
                let sealer = try Sealer(key, KeyDerivation(derivation))
                let known = try setting("identity", in: pool, else: sealer.seal(text, at: place))
                let opened = try? sealer.open(known, as: String.self, at: place)
                guard opened == text else { throw wrongKey(key, isEncrypted: Sealer.isSealed(known)) }
                return sealer
            } catch { throw DatabaseFailure.explain(error, "The history cannot be opened") }
        }

        /// A setting; if it is missing, stores `value` first.
        private static func setting(_ name: String, in pool: DatabasePool, else value: Data) throws -> Data {
            let read = { @Sendable (database: Database) in
                try Data.fetchOne(database, sql: "SELECT value FROM setting WHERE name = ?", arguments: [name])
            }
            // It usually exists, and reading a history must not write to it.
            if let known = try pool.read(read) { return known }
            return try pool.write { database in
                try database.execute(sql: "INSERT OR IGNORE INTO setting VALUES (?, ?)", arguments: [name, value])
                return try read(database) ?? value
            }
        }

        private static func wrongKey(_ key: StoreKey, isEncrypted: Bool) -> StenoError {
            switch (key.kind, isEncrypted) {
            case (.none, _): StenoError(.wrongKey, "The history is encrypted. Open it with its key or passphrase.")
            case (_, false):
                StenoError(
                    .wrongKey,
                    "The history is not encrypted. Open it without a key, or name another folder for an encrypted one.")
            default: StenoError(.wrongKey, "The key or passphrase is wrong for this history. Try another.")
            }
        }
    }
#endif
