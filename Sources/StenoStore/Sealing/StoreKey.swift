#if Store
    public import Foundation
    import Steno

    /// What opens an encrypted history; a history is encrypted from its beginning, or never.
    public struct StoreKey: Sendable {
        enum Kind: Sendable {
            case none
            case bytes([UInt8])
            case passphrase(String)
        }

        let kind: Kind

        /// No key: texts and recordings are stored as they are, readable for whoever can read the files.
        public static let none = StoreKey(kind: .none)

        /// A passphrase, from which the key is derived with scrypt (RFC 7914; 32 MB of memory, some tenths of a
        /// second).
        public static func passphrase(_ text: String) -> StoreKey { StoreKey(kind: .passphrase(text)) }

        /// A key of 32 random bytes that something else keeps.
        ///
        /// - Throws: `StenoError.invalidOption` for another length.
        public static func bytes(_ bytes: [UInt8]) throws -> StoreKey {
            guard bytes.count == 32 else {
                throw StenoError(
                    .invalidOption,
                    "The key of a history must have 32 bytes, but this one has "
                        + "\(bytes.count).")
            }
            return StoreKey(kind: .bytes(bytes))
        }

        /// The key in a file of 32 bytes that only its owner can read (mode 600).
        ///
        /// - Parameter creating: Whether the file is made, with a random key, if it does not exist.
        /// - Throws: `StenoError`: `invalidOption` if others can read the file or it has another length, `outputFailed`
        ///   if it cannot be made or read.
        public static func file(_ url: URL, creating: Bool = true) throws -> StoreKey {
            try .bytes(KeyFile.contents(of: url, creating: creating))
        }

        /// A random key.
        public static func random() -> StoreKey { StoreKey(kind: .bytes(RandomBytes.make(32))) }

        /// The bytes of the key, to be kept elsewhere; nil of a passphrase and of ``none``.
        public var bytes: [UInt8]? { if case .bytes(let bytes) = kind { bytes } else { nil } }
    }
#endif
