#if Store
    import Crypto
    import CryptoExtras
    import Foundation
    import Steno

    /// Derives the key of a history from a passphrase: scrypt (RFC 7914), with parameters and a salt stored in the
    /// history.
    struct KeyDerivation: Sendable {
        /// The binary logarithm of scrypt's N.
        private let cost: UInt8
        private let blockSize: UInt8
        private let parallelism: UInt8
        private let salt: Data

        /// 32 MB of memory and three passes: the parameters of OWASP's Password Storage Cheat Sheet, with a random
        /// salt.
        static func random() -> KeyDerivation {
            KeyDerivation(cost: 15, blockSize: 8, parallelism: 3, salt: Data(RandomBytes.make(16)))
        }

        init(cost: UInt8, blockSize: UInt8, parallelism: UInt8, salt: Data) {
            (self.cost, self.blockSize, self.parallelism, self.salt) = (cost, blockSize, parallelism, salt)
        }

        /// Reads ``bytes``.
        ///
        /// - Throws: `StenoError.historyDamaged` for parameters that no version writes.
        init(_ bytes: Data) throws {
            let bytes = Array(bytes)
            guard bytes.count >= 19, (10...22).contains(bytes[0]), (1...16).contains(bytes[1]),
                (1...16).contains(bytes[2])
            else {
                throw StenoError(
                    .historyDamaged,
                    "The history is damaged: it does not record how its key is derived. Restore it from a backup.")
            }
            self.init(cost: bytes[0], blockSize: bytes[1], parallelism: bytes[2], salt: Data(bytes[3...]))
        }

        var bytes: Data { Data([cost, blockSize, parallelism]) + salt }

        /// The key; deriving it takes some tenths of a second.
        ///
        /// - Throws: `StenoError`: `invalidOption` for an empty passphrase, `outOfMemory`.
        func key(from passphrase: String) throws -> SymmetricKey {
            guard !passphrase.isEmpty else {
                throw StenoError(.invalidOption, "The passphrase is empty: choose one with several words.")
            }
            do {
                return try KDF.Scrypt.deriveKey(
                    // An accent may be typed as one character or two.
                    from: Data(passphrase.precomposedStringWithCanonicalMapping.utf8), salt: salt, outputByteCount: 32,
                    rounds: 1 << Int(cost), blockSize: Int(blockSize), parallelism: Int(parallelism))
            } catch {
                throw StenoError(
                    .outOfMemory, "The key could not be derived from the passphrase: \(error).", underlying: error)
            }
        }
    }

    /// Random bytes from the system's generator, for keys and salts.
    enum RandomBytes {
        static func make(_ count: Int) -> [UInt8] {
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
    }
#endif
