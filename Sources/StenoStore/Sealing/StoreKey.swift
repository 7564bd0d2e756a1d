#if Store
    public import Foundation
    import Steno

    /// The key of a history, which is encrypted from the start or not at all.
    public struct StoreKey: Sendable {
        enum Kind: Sendable {
            case none
            case bytes([UInt8])
            case passphrase(String)
        }

        let kind: Kind

        /// No key: texts and recordings are stored unencrypted.
        public static let none = StoreKey(kind: .none)

        /// A passphrase, from which the key is derived with scrypt (RFC 7914; 32 MB of memory, a few tenths of a
        /// second).
        public static func passphrase(_ text: String) -> StoreKey { StoreKey(kind: .passphrase(text)) }

        /// A key of 32 random bytes that you store yourself.
        ///
        /// - Throws: `StenoError.invalidOption` for any other length.
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
        /// - Parameter creating: Whether to create the file, with a random key, if it does not exist.
        /// - Throws: `StenoError`: `invalidOption` if other users can read the file or its length is wrong,
        ///   `outputFailed` if it cannot be created or read.
        public static func file(_ url: URL, creating: Bool = true) throws -> StoreKey {
            try .bytes(KeyFile.contents(of: url, creating: creating))
        }

        /// A random key.
        public static func random() -> StoreKey { StoreKey(kind: .bytes(RandomBytes.make(32))) }

        /// The bytes of the key, for storage; nil for a passphrase and for ``none``.
        public var bytes: [UInt8]? { if case .bytes(let bytes) = kind { bytes } else { nil } }
    }
#endif
